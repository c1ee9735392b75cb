extension TablePane {
  package static let keys = """
    [table]
    ## Edit
    <ret> = table edit             ;; edit
    e = table edit
    ## Mark
    v = table toggle {count}       ;; mark
    ## Find and sort
    / = prompt search              ;; find
    s = table sort                 ;; sort
    F = filter --edit              ;; filter
    ## Columns
    c = prompt command "table column " ;; column
    - = table hide                 ;; hide
    ## The map
    z = table map                  ;; on the map
    <esc> = table leave            ;; map
    ## Menu, command line, help
    : = prompt command             ;; command
    ? = help                       ;; keys
    ## Edit
    = = table compute              ;; compute
    i = table value                ;; whole value
    u = undo {count}               ;; undo
    U = redo {count}
    <c-r> = redo {count}
    d = delete                     ;;+ delete
    y = yank                       ;;+ copy
    Y = +copy as text
    Yc = yank --as csv
    Yt = yank --as tsv
    Ym = yank --as markdown
    Yg = yank --as geojson
    Yw = yank --as wkt
    . = repeat
    ## Mark
    <space> = table toggle --down {count}
    x = table unmark {count}
    V = select layer
    g/ = table mark-found          ;; mark all found
    gv = select former
    gu = select none               ;; unmark all
    ]s = table next-marked {count}
    [s = table previous-marked {count}
    ## Find and sort
    n = table next {count}
    N = table previous {count}
    S = table reverse              ;; reverse
    a = table sort --add           ;; sort also by
    gs = table unsort
    ## Columns
    f = frequency                  ;; frequencies
    + = prompt command "column add " ;; add
    gh = table unhide              ;; show hidden
    <gt> = table wider {count}
    <lt> = table narrower {count}
    _ = table width 0              ;; fit width
    ! = table freeze {count}       ;; freeze
    H = table shift-left {count}
    L = table shift-right {count}
    ## Move
    g = +go
    ] = +next
    [ = +previous
    h = table left {count}
    j = table down {count}
    k = table up {count}
    l = table right {count}
    <left> = table left {count}
    <down> = table down {count}
    <up> = table up {count}
    <right> = table right {count}
    <tab> = table right {count}
    <s-tab> = table left {count}
    <c-d> = table down half {count}
    <c-u> = table up half {count}
    <c-f> = table down page {count}
    <c-b> = table up page {count}
    <pagedown> = table down page {count}
    <pageup> = table up page {count}
    gg = table first {count}
    G = table last {count}
    0 = table start
    $ = table end
    <home> = table start
    <end> = table end
    ## The map
    Z = table follow               ;; map follows
    t = table
    <f3> = table
    q = table close
    ## Always
    <c-l> = redraw
    <c-c> = cancel
    <c-z> = suspend
    <c-s> = save
    <c-q> = quit
    <f1> = help
    <c-p> = palette
    <f2> = panel layers
    <f4> = panel overview
    <f5> = panel legend
    <f6> = panel info
    \(KeyMap.paneKeys)
    """
}
