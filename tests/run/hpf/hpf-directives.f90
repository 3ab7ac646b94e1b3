! HPF directives change nothing on one processor, nor do OpenMP comments.
program hpf_directives
  implicit none
  integer, parameter :: n = 16
  double precision :: a(n), b(n), c(n, n), total
  integer :: i, j
!HPF$ PROCESSORS line(4)
!HPF$ TEMPLATE t(16)
!HPF$ ALIGN a(i) WITH t(i)
!HPF$ ALIGN (i) WITH t(i) :: b
!HPF$ DISTRIBUTE t(BLOCK) ONTO line
!HPF$ DISTRIBUTE c(*, CYCLIC(2)) ONTO line
!HPF$ INDEPENDENT
  do i = 1, n
    a(i) = i
    b(i) = a(i) * 2.0d0
  end do
!HPF$ INDEPENDENT, NEW(i)
!$OMP PARALLEL DO PRIVATE(i)
  do j = 1, n
    do i = 1, n
      c(i, j) = a(i) * b(j)
    end do
  end do
!$OMP END PARALLEL DO
  total = 0.0d0
!HPF$ INDEPENDENT, REDUCTION(total)
  do i = 1, n
    total = total + c(i, n + 1 - i)
  end do
  print *, total, sum(c)
end program
