! Loops over INTEGER(1): neither the limit nor the step of an unrolled loop need fit, and limits may be the least integer.
program un
  integer :: n, k
  integer(1) :: m, j
  real :: a(100)
  integer :: total
  n = -huge(n) - 1
  m = -huge(m) - 1_1
  a = 1
  call run(n, a, total)
  print *, total
  call run(50, a, total)
  print *, total, sum(a)
  call tiny(m, total)
  print *, total
  call tiny(100_1, total)
  print *, total
  total = 0
  do j = -127_1 - 1_1, -127_1
    total = total + j
  end do
  print *, total, j
  total = 0
  do j = 0_1, 127_1, 60_1
    total = total + j
  end do
  print *, total
contains
  subroutine run(n, a, total)
    integer, intent(in) :: n
    real, intent(inout) :: a(*)
    integer, intent(out) :: total
    integer :: i
    total = 0
    do i = 1, n
      a(i) = a(i) + 1
    end do
    do i = 1, n
      total = total + i
    end do
  end subroutine
  subroutine tiny(n, total)
    integer(1), intent(in) :: n
    integer, intent(out) :: total
    integer(1) :: i
    total = 0
    do i = 1_1, n
      total = total + i
    end do
    do i = 1_1, n, 50_1
      total = total + i
    end do
  end subroutine
end program
