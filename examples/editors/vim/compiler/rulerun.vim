" :make checks the file that is edited, :make DIR as well what is there; what is found goes to the quickfix list.
if exists('current_compiler')
  finish
endif
let current_compiler = 'rulerun'

if exists(':CompilerSet') != 2
  command -nargs=* CompilerSet setlocal <args>
endif

CompilerSet makeprg=rulerun\ check\ %:S
CompilerSet errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%f:%l:%c:\ %tote:\ %m,%-G%.%#
