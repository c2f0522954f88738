-- What `vim.lsp.enable('costlens')` starts (Neovim 0.11 and later). Override parts of it with vim.lsp.config('costlens', {…})
-- or through require('costlens').setup{…}.
return require('costlens').client_config()
