" Rule books, changes and tests of rulerun, and lists of clauses. Other programs have files called *.rules too: a file is
" one of rulerun's if it begins so, or is empty and not among those of the system.
function! s:rules() abort
  let begins = ''
  for line in getline(1, 50)
    if line !~# '^\s*\(//.*\)\?$'
      let begins = substitute(line, '^\%ufeff', '', '')
      break
    endif
  endfor
  if begins =~# '^\(ruleset\|change\|tests\)\s\+\S\+\s\+\("\|extends\>\)' || begins ==# '' && expand('<amatch>:p') !~# '^/\(etc\|usr\|lib\)/'
    unlet! b:did_ftplugin " of the file type Vim took it for
    set filetype=rulerun
  endif
endfunction

autocmd BufNewFile,BufRead *.rules call s:rules()
autocmd BufNewFile,BufRead *.clauses set filetype=rulerunclauses
