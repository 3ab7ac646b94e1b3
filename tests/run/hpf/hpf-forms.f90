! Every form of the mapping directives, on arrays and templates.
program hpf_forms
  implicit none
  integer, parameter :: n = 24
  double precision, dimension(n, n) :: a, b, c, d
  double precision :: v(n), w(0:n + 1), u(n)
  integer :: i, j
!HPF$ PROCESSORS grid(2, 3), line(6)
!HPF$ TEMPLATE, DISTRIBUTE(BLOCK, CYCLIC) ONTO grid :: t(24, 24)
!HPF$ TEMPLATE s(0:25)
!HPF$ ALIGN a(i, j) WITH t(i, j)
!HPF$ ALIGN b(i, j) WITH t(j, i)
!HPF$ ALIGN (:, :) WITH t(:, :) :: c
!HPF$ ALIGN v(i) WITH t(i, *)
!HPF$ ALIGN w(i) WITH s(i)
!HPF$ ALIGN u(i) WITH s(25 - i)
!HPF$ DISTRIBUTE s(CYCLIC(3)) ONTO line
!HPF$ DISTRIBUTE (*, BLOCK(4)) ONTO line :: d
!HPF$ INDEPENDENT, NEW(i)
  do j = 1, n
!HPF$ INDEPENDENT
    do i = 1, n
      a(i, j) = i - j
      b(i, j) = i + j
    end do
  end do
  c = a + b
  d = a * b
  w = 1.0d0
!HPF$ INDEPENDENT
  forall (i = 1:n) v(i) = c(i, i) + w(i + 1)
!HPF$ INDEPENDENT
  do i = 1, n
    u(i) = v(n + 1 - i) - w(i - 1)
  end do
  print *, sum(c), sum(d), v(n), u(1)
end program
