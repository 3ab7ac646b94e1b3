! Single elements in output: at a time step, in implied DO loops, more and more of them, beside stores, of several types and mappings.
program shown
  implicit none
  integer, parameter :: n = 24
  type pair
    integer :: k
    real(8) :: x
  end type
  real(8) :: a(n, n), b(n)
  integer :: k(n), i, j, step
  complex :: z(n)
  character(3) :: c(n)
  logical :: l(n)
  type(pair) :: p(n)
!HPF$ PROCESSORS grid(2, 2)
!HPF$ DISTRIBUTE a(BLOCK, CYCLIC) ONTO grid
!HPF$ DISTRIBUTE b(CYCLIC(3))
!HPF$ ALIGN k(i) WITH b(i)
!HPF$ ALIGN z(i) WITH b(i)
!HPF$ DISTRIBUTE c(BLOCK)
!HPF$ ALIGN l(i) WITH c(i)
!HPF$ ALIGN p(i) WITH c(i)
  do j = 1, n
    do i = 1, n
      a(i, j) = i + j * 0.5d0
    end do
    b(j) = j * 0.25d0
    k(j) = n + 1 - j
    z(j) = cmplx(j, -j)
    write (c(j), '(i3.3)') j
    l(j) = mod(j, 3) == 0
    p(j) = pair(j, j * 2.0d0)
  end do
  do step = 1, 4
    do j = 1, n
      do i = 1, n
        a(i, j) = a(i, j) * 0.5d0
      end do
    end do
    print '(a, i3, 3f12.5)', 'step', step, a(step, n), a(n / 2, n / 2) + 1, b(k(step))
    print *, z(step), c(step), l(step), k(k(step)), c(n)(2:3), p(step)%x, p(n)
  end do
  ! A store between two elements that are shown.
  do i = 1, n
    b(i) = b(i) * 2
    write (*, '(f8.3)', advance='no') b(i)
    b(n + 1 - i) = i
  end do
  print *
  ! One by one, until all have all.
  write (*, '(12f8.3)') ((a(i, j), i = 1, n, 2), j = 1, n)
  do i = 1, n
    do j = n, 1, -3
      if (a(i, j) > 1.5d0) write (*, '(2i4, f9.4)') i, j, a(i, j)
    end do
  end do
  ! Sections: along each dimension, backwards, with a step, of one element and none, of most of an array, of components.
  do step = 1, 3
    do j = 1, n
      do i = 1, n
        a(i, j) = a(i, j) + step
      end do
    end do
    b(:) = b(:) - step
    print '(4f10.4)', a(3:6, n), a(n, 5:2:-1), a(:, step), a(step, 1:n:7)
    print *, b(n:1:-5), b(4:4), b(5:4), b(2:n), z(3:7), l(:5), c(20:), k(::11)
    print *, p(2:5)%x, a(2:4, 3:5)
  end do
  a(3, 3) = 17
  print *, a(3, 3), a(3, 4)
end program
