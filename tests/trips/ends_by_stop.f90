! STOP ends the run in a loop of an inlined procedure.
subroutine look(x, n, m)
  integer :: n, m, x(n), i
  do i = m, n, 2
    if (x(i) < 0) stop 3
    if (x(i) > 100) then
      x(i) = x(i) / 2
    end if
    x(i) = x(i) + 1
  end do
end subroutine
program p
  implicit none
  integer :: x(1000), k
  do k = 1, 1000
    x(k) = mod(k * 37, 211)
  end do
  x(778) = -7
  do k = 1, 10
    call look(x, 700, k)
  end do
  do k = 1, 4
    call look(x(k:), 1000 - k, 4)
  end do
end program
