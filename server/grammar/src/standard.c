// The same language with the standard's block comments, which do not nest (ISO/IEC 13211-1, 6.4.1). It needs a second parser: the functions
// of a parser are named after its language, and a scanner's behaviour cannot be selected at run time.
#define COMMENTS_NEST 0
#define tree_sitter_prolog tree_sitter_prolog_standard
#define tree_sitter_prolog_external_scanner_create tree_sitter_prolog_standard_external_scanner_create
#define tree_sitter_prolog_external_scanner_destroy tree_sitter_prolog_standard_external_scanner_destroy
#define tree_sitter_prolog_external_scanner_scan tree_sitter_prolog_standard_external_scanner_scan
#define tree_sitter_prolog_external_scanner_serialize tree_sitter_prolog_standard_external_scanner_serialize
#define tree_sitter_prolog_external_scanner_deserialize tree_sitter_prolog_standard_external_scanner_deserialize
#include "parser.c"
#include "scanner.c"
