! Results of arguments that may be absent, of arrays that may not be allocated, and of an argument that is larger than it says, in nests whose results go from rank to rank.
program p
  implicit none
  integer :: i, j
  real(8) :: a(16, 5), s(5)
  real(8), allocatable :: w(:)
!HPF$ DISTRIBUTE a(BLOCK, *)
  do j = 1, 5
    do i = 1, 16
      a(i, j) = i * j
    end do
  end do
  s = 0
  call f(a, 5, s)
  print *, s
  call f(a, 5)
  call h(a, 5, .false., w)
  call legacy(a, 5, s)
  print *, s
contains
  subroutine f(a, m, s)
    integer :: m, i, j
    real(8) :: a(16, m)
    real(8), optional :: s(m)
    logical :: has
!HPF$ DISTRIBUTE a(BLOCK, *)
    has = present(s)
    do j = 1, m
      do i = 1, 16
        if (has) s(j) = s(j) + a(i, j)
      end do
    end do
    do j = 1, m
      do i = 1, 16
        if (present(s)) then
          if (a(i, j) > 3) s(j) = s(j) + a(i, j)
        end if
      end do
    end do
    do i = 1, 16
      do j = 1, m
        if (has) s(j) = s(j) * 0.5d0 + a(i, j)
      end do
    end do
    print *, 'f'
  end subroutine
  subroutine h(a, m, has, w)
    integer :: m, i, j
    real(8) :: a(16, m)
    real(8), allocatable :: w(:)
    logical :: has
!HPF$ DISTRIBUTE a(BLOCK, *)
    do j = 1, m
      do i = 1, 16
        if (has) w(j) = w(j) + a(i, j)
      end do
    end do
    do i = 1, 16
      do j = 1, m
        if (has) w(j) = w(j) * 0.5d0 + a(i, j)
      end do
    end do
    print *, 'h'
  end subroutine
  subroutine legacy(a, m, s)
    integer :: m, i, j
    real(8) :: a(16, m)
    real(8) :: s(1)
!HPF$ DISTRIBUTE a(BLOCK, *)
    do i = 1, 16
      do j = 1, m
        s(j) = s(j) * 0.5d0 + a(i, j)
      end do
    end do
  end subroutine
end program
