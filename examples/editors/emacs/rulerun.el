;;; rulerun.el --- rule files of rulerun -*- lexical-binding: t -*-

;; (load "…/examples/editors/emacs/rulerun.el") in init.el. Colours are few; the language server, by eglot (which comes with
;; Emacs 29), does the rest: mistakes as one types, hover, definitions, rename, completion.

(defvar rulerun-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?_ "w" table)
    table)
  "Comments begin with two slashes; names have low lines.")

(defvar rulerun-mode-keywords
  '(("^\\(?:replace +\\)?\\w+" . font-lock-keyword-face)
    ("\\(?:^ +\\|[{;] *\\)\\(\\w+\\)" 1 font-lock-builtin-face)
    ("\\[\\(?:[A-Z][A-Z0-9]*-[0-9A-Za-z]+ *\\)+\\]" . font-lock-constant-face))
  "The first word of a declaration and of a line, and clause ids.")

(define-derived-mode rulerun-mode prog-mode "Rules"
  "Rule books and house rules of race games."
  (setq-local comment-start "// ")
  (setq-local comment-end "")
  (setq-local tab-width 2)
  (setq-local indent-tabs-mode nil)
  (setq-local font-lock-defaults '(rulerun-mode-keywords)))

(add-to-list 'auto-mode-alist '("\\.rules\\'" . rulerun-mode))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(rulerun-mode . ("rulerun" "lsp"))))
(add-hook 'rulerun-mode-hook #'eglot-ensure)

(provide 'rulerun)

;;; rulerun.el ends here
