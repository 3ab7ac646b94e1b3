! told at 7:6: Dummy argument 'i' is associated with a constant or expression
program fault
  call s(0)
end program
subroutine s(i)
  integer :: i
  do i = 1, 3
    print *, i
  end do
end subroutine
