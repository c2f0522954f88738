-- Start-up of the Neovim under test: what a person's own would hold, and nothing that Costlens should do by itself.
vim.o.swapfile = false
vim.o.shadafile = 'NONE'
vim.o.number = true
vim.o.more = false
vim.o.wrap = false
vim.o.cmdheight = 3
vim.opt.runtimepath:prepend(assert(vim.env.COSTLENS_PLUGIN, 'COSTLENS_PLUGIN is not set'))
vim.diagnostic.config({ virtual_text = true, severity_sort = true })
