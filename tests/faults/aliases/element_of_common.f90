! told at 16:10: 'v' is used, and 'x', which is the same storage, is defined
! flags: -fcheck=alias
program fault
  integer :: k, v(3)
  common /c/ v
  v = 0
  do k = 1, 3
    call bump(v(k))
  end do
  print *, v
end program
subroutine bump(x)
  integer :: x, v(3)
  common /c/ v
  x = x + 1
  v(1) = v(1) + x
end subroutine
