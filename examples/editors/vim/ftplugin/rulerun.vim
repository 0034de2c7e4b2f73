" Comments, indentation and :make for rule files.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal iskeyword=@,48-57,_,192-255
setlocal comments=:// commentstring=//\ %s
setlocal formatoptions-=t formatoptions+=croql
setlocal expandtab shiftwidth=2 softtabstop=2
setlocal suffixesadd=.rules,.yaml
compiler rulerun

let b:undo_ftplugin = 'setlocal iskeyword< comments< commentstring< formatoptions< expandtab< shiftwidth< softtabstop< suffixesadd< makeprg< errorformat<'
