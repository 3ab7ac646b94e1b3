! Loops left by EXIT, CYCLE, GOTO and RETURN in turn, in inlinable procedures.
program hard_nested_exits
  implicit none
  integer :: i, hits
  integer, external :: probe
  hits = 0
  do i = 1, 12
    hits = hits * 3 + probe(i, mod(i, 4))
    hits = mod(hits, 100003)
    print *, i, hits
  end do
end program
integer function probe(n, way)
  implicit none
  integer, intent(in) :: n, way
  integer :: i, j
  probe = 0
  rows: do i = 1, n
    do j = i, n
      probe = probe + 1
      if (i * j > 20) then
        if (way == 0) return
        if (way == 1) exit rows
        if (way == 2) cycle rows
        go to 10
      end if
    end do
    probe = probe + 100
  end do rows
  probe = -probe
10 probe = probe * 2
end function
