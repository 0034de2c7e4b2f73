" Rule files of rulerun. The groups of words are called after the parts of the language; a test of package dsl/assist holds
" them together with the parser.
if exists('b:current_syntax')
  finish
endif

syn keyword rulerunDeclaration contained ruleset change replace without set rename board players seats teams turns pieces first dice option
syn keyword rulerunDeclaration contained var secret let act turn setup move rule count test tests before after
syn keyword rulerunStatement contained if for put send exchange throw play earn choose do again end undo win rank drop over step draw give let
syn keyword rulerunClause contained may must never step end on before win rank drop over always draw back
syn keyword rulerunVerdict contained go bar turn stop back
syn keyword rulerunEvent contained throw leave step pass turned land move stuck turn begins ends drop rank game depart
syn keyword rulerunTestLine contained cases given turn players arrived set throw play expect
syn keyword rulerunExpect contained moves no not choices chance draw refused position throw asks earned turn winner ranking that over
syn keyword rulerunFunction contained all any none count filter find map sortBy sum len first last min max abs int square after next indexOf
syn keyword rulerunValue contained me hand mine squares steps thrown earned heading remaining usable offered players game board throws here carried
syn keyword rulerunConstant contained nil true false
syn keyword rulerunType contained number flag piece place colour player team set bag
syn keyword rulerunScope contained game team player colour piece turn go
syn keyword rulerunJoint contained when by to with if on from else carrying walk stay at of
syn keyword rulerunOperator contained and or not in
syn keyword rulerunHeader contained extends with for
syn keyword rulerunWord contained after all any apart before beyond choice colour counting deck despite duties each earned highest into loser lot lowest most none otherwise track turn via winner x

syn cluster rulerunExpr contains=rulerunName,rulerunCall,rulerunTyped,rulerunField,rulerunNumber,rulerunSign,rulerunText,rulerunCite,rulerunComment

" What stands in an expression, the weakest first.
syn match rulerunName /\<\K\k*\>/ contains=rulerunJoint,rulerunOperator,rulerunValue,rulerunConstant
syn match rulerunTyped /\<\%(set\s\+of\s\+\)\?\K\k*\ze\s\+\K\k*\s*[,)]/ contains=rulerunType,rulerunJoint,rulerunOperator,rulerunValue,rulerunConstant
syn match rulerunCall /\<\K\k*\ze\s*(/ contains=rulerunFunction,rulerunJoint,rulerunOperator
syn match rulerunField /\.\@1<!\.\s*\K\k*/
syn match rulerunNumber /\<\d[0-9_]*\>\|\<d\d\+\>/
syn match rulerunSign /[-+*%=<>!?:|&#@]\|\.\.\|\/\/\@!/
syn match rulerunWord /#\@1<=outer\>/
syn match rulerunCite /\[\s*\u[A-Z0-9]*-\w\+\%(\s\+\u[A-Z0-9]*-\w\+\)*\s*\]/

" The words a line begins with.
syn match rulerunLine /\%(^\s\+\|[{;]\s*\)\@<=\K\k*\>/ contains=rulerunStatement,rulerunClause,rulerunJoint,rulerunOperator,rulerunValue,rulerunConstant
syn match rulerunLine /\%(^\s\+\|[{;]\s*\)\@<=\%(\%(win\|rank\|drop\)\s\+\K\k*\ze\s\+\K\k*\s\+\%(when\|counting\)\>\)/ contains=rulerunClause,rulerunType
syn match rulerunLine /\%(^\s\+\|[{;]\s*\)\@<=step\s\+\%(into\|beyond\)\>/ contains=rulerunClause,rulerunWord
syn match rulerunLine /\%(^\s\+\|[{;]\s*\)\@<=\%(end\|undo\)\s\+turn\>/ contains=rulerunStatement,rulerunWord
syn match rulerunLine /\%(^\s\+\|[{;]\s*\)\@<=play\s\+\%(earned\>\|\%(any\|each\|most\|all\)\ze\s\+of\>\)/ contains=rulerunStatement,rulerunWord
syn match rulerunLine /\%(\<or\s\+\)\@<=none\>\ze\s*\%($\|by\>\|[;}\[\/]\)/ contains=rulerunWord
syn match rulerunLine /\%()\s\+\|\K\k*\s\+\)\@<=\%(despite\s\+duties\|otherwise\)\>\ze\s*\%($\|when\>\|[;}\[\/]\)/ contains=rulerunWord
syn match rulerunLine /\%([])[:alnum:]_]\s\+\)\@<=apart\>\ze\s*\%($\|[;}\[\/]\)/ contains=rulerunWord
syn match rulerunLine /\%([])[:alnum:]_]\s\+\)\@<=counting\>\ze\s/ contains=rulerunWord
syn match rulerunLine /\%([])[:alnum:]_]\s\+\)\@<=for\>\ze\s/ contains=rulerunStatement
syn match rulerunLine /\%(^\s\+\|[{;]\s*\)\@<=\%(may\|must\|never\)\s\+move\ze\s*(/ contains=rulerunClause,rulerunEvent
syn match rulerunLine /\<\%(on\|before\)\s\+\K\k*\>\%(\s\+\%(begins\|ends\)\>\)\?/ contains=rulerunJoint,rulerunClause,rulerunEvent
syn match rulerunJudge /\%(:\s*\)\@<=\%(go\|bar\|turn\|stop\|back\)\>\%(\s\+or\s\+\%(go\|bar\|turn\|stop\)\>\)\?/ contains=rulerunVerdict,rulerunOperator

" The words a declaration begins with, and what follows some of them.
syn match rulerunStart /^\%(replace\s\+\)\?\K\k*\>/ contains=rulerunDeclaration
syn match rulerunStart /^\%(ruleset\|change\|tests\)\>\%([^"\/]\|"[^"]*"\)*/ contains=rulerunDeclaration,rulerunHeader,rulerunText,rulerunCite
syn match rulerunStart /^\%(replace\s\+\)\?var\s\+\K\k*\>/ contains=rulerunVariable
syn match rulerunKind /\%(^\%(replace\s\+\)\?var\s\+\K\k*\s\+\K\k*\s*:\s*\)\@<=\%(\%(set\|bag\)\s\+of\s\+\)\?\K\k*/ contains=rulerunType,rulerunJoint
syn match rulerunStart /^\%(replace\s\+\)\?rule\s\+\K\k*\s\+\%(before\|after\)\>/ contains=rulerunDeclaration,rulerunWord
syn match rulerunStart /^\%(replace\s\+\)\?first\s\+\%(highest\|lowest\|lot\|loser\|winner\)\>/ contains=rulerunDeclaration,rulerunWord
syn match rulerunStart /^turns\s\+by\s\+colour\>/ contains=rulerunDeclaration,rulerunJoint,rulerunWord
syn match rulerunDice /\%(=\s*\)\@<=\%(deck\|choice\)\>/ contains=rulerunWord
syn match rulerunDice /\%(\d\s\+\)\@<=x\ze\s*{/ contains=rulerunWord
syn match rulerunDice /\<track\ze\s\+\K\k*\s*\%($\|\[\|\/\/\)/ contains=rulerunWord
syn match rulerunVariable contained /^\%(replace\s\+\)\?var\>/ contains=rulerunDeclaration nextgroup=rulerunOwner skipwhite
syn match rulerunOwner contained /\K\k*/ contains=rulerunScope

" A test is written in words of its own, up to the next declaration.
syn region rulerunTest matchgroup=rulerunDeclaration start=/^test\>/ matchgroup=NONE end=/^\ze\K/ keepend contains=rulerunStart,rulerunPlace,rulerunTestHead,rulerunNumber,rulerunSign,rulerunText,rulerunCite,rulerunComment,rulerunThat
syn match rulerunPlace contained /\<\K\k*\%(-\k\+\)*/ contains=rulerunConstant
syn match rulerunPlace contained /\<counting\>\|\<via\>\|\<by\>/ contains=rulerunWord,rulerunJoint
syn match rulerunTestHead contained /\%(^\s\+\|[{;]\s*\)\@<=\K\k*\>/ contains=rulerunTestLine
syn match rulerunTestHead contained /\<expect\s\+\K\k*\%(\s\+\%(moves\|choices\|over\|position\|throw\)\>\)\?/ contains=rulerunTestLine,rulerunExpect
syn region rulerunThat contained start=/\<expect\s\+that\>/ end=/$\|\ze[;}]/ keepend contains=rulerunTestHead,@rulerunExpr

syn region rulerunText start=/"/ skip=/\\./ end=/"\|$/ oneline contains=@Spell
syn match rulerunComment /\/\/.*$/ contains=rulerunAllow,@Spell
syn match rulerunAllow contained /\/\/\s*\zsallow\s\+[a-z-]\+/

syn sync minlines=100

hi def link rulerunDeclaration Keyword
hi def link rulerunStatement Statement
hi def link rulerunClause Statement
hi def link rulerunVerdict Constant
hi def link rulerunEvent Special
hi def link rulerunTestLine Statement
hi def link rulerunExpect Keyword
hi def link rulerunFunction Function
hi def link rulerunValue Identifier
hi def link rulerunConstant Boolean
hi def link rulerunType Type
hi def link rulerunScope StorageClass
hi def link rulerunJoint Keyword
hi def link rulerunOperator Operator
hi def link rulerunHeader Keyword
hi def link rulerunWord Keyword
hi def link rulerunField Identifier
hi def link rulerunNumber Number
hi def link rulerunSign Operator
hi def link rulerunCite Tag
hi def link rulerunText String
hi def link rulerunComment Comment
hi def link rulerunAllow SpecialComment

let b:current_syntax = 'rulerun'
