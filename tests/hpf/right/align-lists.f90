! Lists of names before WITH, subscripts behind the names, DISTRIBUTE of a name alone and of several with formats.
! spelling 4
program spelling
  implicit none
  integer :: i
  real :: a(16), b(16), c(16), d(16), e(16), f(16), g(16), h(8, 8)
!HPF$ PROCESSORS p(4)
!HPF$ TEMPLATE t(16), u(16), v(16), w(8)
!HPF$ ALIGN a(i), b(i) WITH t(i)
!HPF$ ALIGN c, d WITH t
!HPF$ ALIGN WITH u(i) :: e(i)
!HPF$ ALIGN WITH u(i) :: f(i), g(i)
!HPF$ ALIGN h(i, *) WITH w(i)
!HPF$ DISTRIBUTE t
!HPF$ DISTRIBUTE u ONTO p
!HPF$ DISTRIBUTE v(BLOCK), w(CYCLIC) ONTO p
  a = 1; b = 2; c = 3; d = 4; e = 5; f = 6; g = 7; h = 8
  do i = 1, 16
    a(i) = b(i) + c(i) + d(i) + e(i) + f(i) + g(i)
  end do
  print *, nint(sum(a)), nint(sum(h))
end program
