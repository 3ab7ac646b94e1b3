! Procedures that map dummies anew; module arrays that stay as a procedure mapped them.
module shared
  integer, parameter :: n = 10
  real :: g(n, n), h(n, n)
!HPF$ DYNAMIC g, h
!HPF$ DISTRIBUTE g(BLOCK, *)
!HPF$ ALIGN h(i, j) WITH g(j, i)
contains
  subroutine columns
!HPF$ REDISTRIBUTE g(*, BLOCK)
  end subroutine
  subroutine rows
    integer :: i
!HPF$ REDISTRIBUTE g(CYCLIC, *)
    do i = 1, n
      g(i, 1) = g(i, 1) + i
    end do
  end subroutine
  subroutine work(k)
    integer, intent(in) :: k
    integer :: i, j
    do j = 2, n
      do i = 1, n
        g(i, j) = g(i, j - 1) + k
        h(j, i) = g(i, j) * 2
      end do
    end do
  end subroutine
end module

subroutine local(x, m, way)
  integer, intent(in) :: m, way
  real, intent(inout) :: x(m, m)
!HPF$ DYNAMIC x
!HPF$ DISTRIBUTE x(BLOCK, BLOCK)
  real :: y(m)
!HPF$ DYNAMIC y
!HPF$ ALIGN y(i) WITH x(i, 1)
  integer :: i, j
  do i = 1, m
    y(i) = i
    x(i, i) = x(i, i) + 1
  end do
  if (way == 1) return
  if (way == 2) then
!HPF$ REDISTRIBUTE x(CYCLIC, *)
  end if
  do j = 1, m
    do i = 1, m
      x(i, j) = x(i, j) + y(j)
    end do
    y(j) = x(j, j)
  end do
!HPF$ REALIGN y(i) WITH x(1, i)
  do j = 1, m
    do i = 1, m
      x(i, j) = x(i, j) - y(i) / 2
    end do
    y(j) = x(j, j) + y(j)
  end do
!HPF$ REDISTRIBUTE x(*, CYCLIC(3))
  do i = 1, m
    y(i) = y(i) + x(1, i)
    x(2, i) = y(i)
  end do
end subroutine

program remap_shared
  use shared
  integer :: i, j, k
  do j = 1, n
    do i = 1, n
      g(i, j) = i - j
      h(i, j) = i + j
    end do
  end do
  do k = 1, 3
    call work(k)
    call columns
    call work(k)
    do j = 1, n
      do i = 1, n
        h(i, j) = h(i, j) + g(i, j)
      end do
    end do
    call rows
    do j = 2, n
      do i = 1, n
        g(i, j) = g(i, j) - 0.5 * h(i, j)
      end do
    end do
    call local(g, n, k)
    call local(h, n, 4 - k)
    call work(-k)
  end do
  print '(5es14.5)', g, h
end program
