" Lists of clauses: an id and its words, what is settled, remarks.
if exists('b:current_syntax')
  finish
endif

syn match rulerunClauseId /\<\u[A-Z0-9]*-\d\w*\>/
syn match rulerunClauseHead /^\u[A-Z0-9]*-\w\+/
syn match rulerunSettled /^\s\+\zssettled:/
syn match rulerunRemark /^#.*$/ contains=@Spell

hi def link rulerunClauseId Constant
hi def link rulerunClauseHead Identifier
hi def link rulerunSettled Keyword
hi def link rulerunRemark Comment

let b:current_syntax = 'rulerunclauses'
