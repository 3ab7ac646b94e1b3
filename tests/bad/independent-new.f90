program p
  real :: a(8)
!HPF$ INDEPENDENT, NEW(s)
  do i = 1, 8
    a(i) = i
  end do
  call s
contains
  subroutine s
  end subroutine
end program
