! STOP behind a condition on an element: one message, the code of the program.
program stops
  integer :: a(5), i
!HPF$ DISTRIBUTE a(BLOCK)
  do i = 1, 5
    a(i) = i
    print *, 'at', a(i)
    if (a(i) == 4) call leave(a(i))
  end do
contains
  subroutine leave(k)
    integer, intent(in) :: k
    if (k == 4) stop 4
  end subroutine
end program
