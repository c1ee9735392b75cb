/// The default keys: vi's movements, selection first, then the verb.
extension KeyMap {
  /// The default key map; empty if its text were wrong, which a test rules out.
  package static let modal = Kinds.standard.keyMap

  /// The keys that every mode has.
  static let everyText = """
    [every]
    ## Always
    <c-z> = suspend
    <c-l> = redraw
    """

  /// The keys of maps and of the layers panel; other kinds have theirs in their own files.
  static let mapText = """
    [normal]
    ## Draw
    i = draw                       ;;- insert
    ## Select and find
    v = box start                  ;;- select
    <ret> = select here --info     ;; info
    / = prompt search              ;; find
    t = table                      ;;- table
    <f3> = table
    ## Menu, commands, help
    <space> = +menu
    : = prompt command             ;; command
    ? = help                       ;; keys
    <c-p> = palette
    ## Change
    u = undo {count}               ;; undo
    e = attributes                 ;;+ edit
    ## Ask and measure
    I = details                    ;;+ details
    ## Change
    U = redo {count}
    <c-r> = redo {count}
    ## Select and find
    V = select layer
    s = select here --as add
    x = select here --as remove
    <esc> = escape                 ;;+ let go
    n = next match {count}
    N = previous match {count}
    F = filter --edit
    * = search-same
    ## Change
    d = delete                     ;;+ delete
    <del> = delete
    m = move                       ;;+ move
    gm = move --alone              ;; a shared vertex in one area
    D = delete --alone             ;; a shared vertex in one area
    gr = restore                   ;; a vertex that simplify left out
    ## Draw
    a = append
    A = append --alone             ;; a vertex in one area
    o = part
    ## Change
    y = yank                       ;;+ copy
    Y = yank --view text           ;;- copy the map
    p = paste
    P = paste --in-place
    . = repeat
    ## Go
    f = jump
    ] = +next
    ]e = next finding {count}
    ]c = conflict next {count}
    ]f = next feature {count}
    ]l = next layer {count}
    ]s = next selected {count}
    ]v = next vertex {count}
    [ = +previous
    [e = previous finding {count}
    [c = conflict previous {count}
    [f = previous feature {count}
    [l = previous layer {count}
    [s = previous selected {count}
    [v = previous vertex {count}
    g = +go
    gg = go home
    gc = prompt position           ;; to a position
    gn = prompt command "go name " ;; to a name
    gi = prompt command "go id "   ;; to an id
    gt = tab next
    gT = tab previous
    ' = bookmarks
    B = bookmark
    ## Select and find
    gv = select former             ;; former selection
    g/ = select found              ;; all found
    ## Look
    ga = fit all                   ;; all
    ## Ask and measure
    M = measure                    ;;- measure
    ## Layers panel
    <tab> = focus layers
    <s-tab> = focus layers
    ## Save and leave
    ZZ = save --quit
    ZQ = quit --force              ;; quit, give up unsaved edits
    q = +quit
    qq = quit
    qw = save --quit
    q! = quit --force              ;; quit, give up unsaved edits
    ## Menu (Space)
    <space>f = +file
    <space>fo = prompt command "open "
    <space>fl = recent             ;; a file of late
    <space>fi = prompt command "import "
    <space>fs = save
    <space>fa = prompt command "save "
    <space>fr = revert
    <space>fd = duplicate
    <space>fv = versions
    <space>fq = quit
    <space>e = +edit
    <space>ea = attributes
    <space>ei = details
    <space>es = prompt command "set "
    <space>ed = delete
    <space>em = move
    <space>ey = yank
    <space>ep = paste
    <space>eu = undo
    <space>er = redo
    <space>eh = history
    <space>l = +layer
    <space>ln = prompt command "new-layer "
    <space>lt = toggle
    <space>lr = prompt command "rename "
    <space>lu = reorder up
    <space>ld = reorder down
    <space>lk = lock
    <space>lo = unlock
    <space>ls = prompt command "style "
    <space>lc = classes
    <space>lx = delete-layer
    <space>l1 = layer 1
    <space>l2 = layer 2
    <space>l3 = layer 3
    <space>l4 = layer 4
    <space>l5 = layer 5
    <space>l6 = layer 6
    <space>l7 = layer 7
    <space>l8 = layer 8
    <space>l9 = layer 9
    <space>s = +select
    <space>sl = select layer
    <space>sa = select all
    <space>sn = select none
    <space>sb = box start
    <space>sv = select former
    <space>sf = select found
    <space>sw = prompt command "select where "
    <space>si = filter --edit
    <space>so = filter --off
    <space>v = +view
    <space>va = fit all
    <space>vl = fit layer
    <space>vs = fit selection
    <space>vc = center
    <space>v2 = panel layers
    <space>v4 = panel overview
    <space>v5 = panel legend
    <space>v6 = panel info
    <space>vt = table
    <space>vw = where
    <space>vy = yank --view text   ;; copy as text
    <space>vY = yank --view ansi   ;; copy with colours
    <space>d = +draw
    <space>dp = draw point
    <space>dl = draw line
    <space>dg = draw polygon
    <space>do = part
    <space>da = append
    <space>ds = snap
    <space>x = prompt command "export -o "   ;; export
    <space>h = +help
    <space>hk = help
    <space>hc = help commands

    [insert]
    ## Draw
    <space> = put                  ;; vertex
    <ret> = finish                 ;; finish
    <backspace> = unput            ;; drop last
    <esc> = escape                 ;; leave
    c = close                      ;; close ring
    n = next-part                  ;; next part
    s = snap                       ;; snap
    , = prompt position            ;; position
    ## Change
    u = undo {count}               ;; undo
    U = redo {count}
    <c-r> = redo {count}
    ## Menu, commands, help
    ? = help

    [select]
    ## Select and find
    <ret> = box replace            ;; select
    a = box all                    ;; all layers
    s = box add                    ;; add
    t = box toggle                 ;; toggle
    x = box remove                 ;; remove
    Z = box zoom                   ;; zoom
    <esc> = escape                 ;; back
    v = escape
    ## Menu, commands, help
    ? = help

    [move]
    ## Change
    <ret> = drop                   ;; drop
    <space> = drop
    s = snap                       ;; snap
    <esc> = escape                 ;; back
    ## Menu, commands, help
    ? = help

    [layers]
    ## Layers panel
    j = next layer-line {count}    ;; down
    k = previous layer-line {count} ;; up
    <down> = next layer-line {count}
    <up> = previous layer-line {count}
    <ret> = escape                 ;; to the map
    <space> = toggle               ;; show/hide
    J = reorder down
    K = reorder up
    l = lock --toggle              ;; lock
    r = prompt command "rename "   ;; rename
    n = prompt command "new-layer " ;; new
    s = prompt command "style "
    c = classes                    ;; classes
    f = fit layer
    d = delete-layer               ;; delete
    <esc> = escape
    <tab> = focus map
    <s-tab> = focus map
    <f2> = panel layers
    ## Change
    u = undo {count}               ;; undo
    U = redo {count}
    <c-r> = redo {count}
    ## Save and leave
    <c-s> = save
    <c-q> = quit
    <c-c> = cancel
    <c-z> = suspend
    <c-l> = redraw
    ## Menu, commands, help
    <f1> = help
    : = prompt command
    <c-p> = palette
    ? = help                       ;; keys

    # Moving and looking: the same wherever the map has the keys.
    [normal, insert, select, move, measure]
    ## Look
    h = cursor left {count}
    j = cursor down {count}
    k = cursor up {count}
    l = cursor right {count}
    <left> = cursor left {count}
    <down> = cursor down {count}
    <up> = cursor up {count}
    <right> = cursor right {count}
    H = pan left quarter {count}
    J = pan down quarter {count}
    K = pan up quarter {count}
    L = pan right quarter {count}
    <s-left> = pan left quarter {count}
    <s-down> = pan down quarter {count}
    <s-up> = pan up quarter {count}
    <s-right> = pan right quarter {count}
    <c-d> = pan down half {count}
    <c-u> = pan up half {count}
    <c-f> = pan down page {count}
    <c-b> = pan up page {count}
    <pagedown> = pan down page {count}
    <pageup> = pan up page {count}
    + = zoom in {count}
    = = zoom in {count}
    - = zoom out {count}
    _ = fit all
    z = +look
    zz = center
    zf = fit layer
    zs = fit selection
    zi = zoom in {count}
    zo = zoom out {count}
    z0 = zoom to 0
    ## Go
    zp = go previous {count}
    zn = go next {count}
    <c-o> = go previous {count}
    w = next near {count}
    b = previous near {count}
    ## Ask and measure
    <c-g> = where
    ## Look
    <f2> = panel layers
    <f4> = panel overview
    <f5> = panel legend
    <f6> = panel info
    ## Save and leave
    <c-s> = save
    <c-q> = quit
    <c-c> = cancel
    <c-z> = suspend
    <c-l> = redraw
    ## Menu, commands, help
    <f1> = help

    [insert, select, move, measure]
    ## Menu, commands, help
    : = prompt command

    # Panes.
    [normal, select, layers]
    \(paneKeys)

    # Keys that other programs have: what comes nearest here.
    [unbound]
    ` = ' goes to a bookmark, zp back to the former view, gt to the next tab
    r = e edits attributes, m moves, o and a draw more
    <f10> = Space opens the menu
    <c-v> = v selects with a box
    Q = :run FILE runs a script of commands
    @ = . repeats the last edit, :run FILE runs a script of commands

    [mouse]
    click = select here --vertex --at {column},{row}
    insert-click = put --at {column},{row}
    measure-click = measure put --at {column},{row}
    double-click = select here --at {column},{row} --info
    right-click = where --at {column},{row}
    drag = pan cells {columns} {rows}
    shift-drag = box start --at {column},{row}
    drop = box replace --at {column},{row}
    wheel-up = zoom in 0.4 --at {column},{row}
    wheel-down = zoom out 0.4 --at {column},{row}
    """

  /// The keys of panes and tabs, for the section of a kind of pane.
  package static let paneKeys = """
    ## Panes (Ctrl-w)
    <c-w> = +panes
    <c-w>v = split right
    <c-w>s = split below
    <c-w>w = pane next
    <c-w>W = pane previous
    <c-w><c-w> = pane next
    <c-w><left> = pane left
    <c-w><right> = pane right
    <c-w><up> = pane up
    <c-w><down> = pane down
    <c-w>q = pane close
    <c-w>c = pane close
    <c-w>o = pane only
    <c-w>= = pane equal
    <c-w><gt> = pane wider
    <c-w><lt> = pane narrower
    <c-w>+ = pane taller
    <c-w>- = pane shorter
    <c-w>z = pane whole
    <c-w>x = pane swap
    <c-w>r = pane rotate
    <c-w>l = pane link
    <c-w>L = pane link both
    <c-w>m = overview --pane
    <c-w>t = tab new
    <c-w>T = pane tab new
    <c-w>n = prompt command "tab name "
    <c-w>V = views
    """
}
