! INDEPENDENT that stands before no loop, or names unknown variables.
program directive_independent
  implicit none
  integer :: a(8), i
!HPF$ INDEPENDENT
  a(1) = 1
!HPF$ INDEPENDENT, NEW(nothing)
  do i = 1, 8
    a(i) = i
  end do
!HPF$ INDEPENDENT, OLD(i)
  do i = 1, 8
    a(i) = i
  end do
!HPF$ INDEPENDENT
  do while (a(1) < 3)
    a(1) = a(1) + 1
  end do
!HPF$ INDEPENDENT
end program
