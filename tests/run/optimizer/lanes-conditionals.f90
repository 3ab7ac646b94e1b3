! Conditionals in loops of vectors: masks, arms, counts, elements that must stay untouched
module arrays
  implicit none
  integer, parameter :: n = 41
  real(8) :: a(n), b(n), c(n)
  integer :: k(n), m(n), most
contains
  subroutine both(a, b, c, n)
    integer, intent(in) :: n
    real(8) :: a(n), b(n), c(n)
    integer :: i
    do i = 1, n
      if (b(i) > c(i)) then
        a(i) = b(i) - c(i)
      else
        a(i) = c(i) * 2
      end if
    end do
  end subroutine

  subroutine chain(k, m, n)
    integer, intent(in) :: n
    integer, intent(inout) :: k(n), m(n)
    integer :: i, t
    do i = n, 1, -1
      t = k(i) + m(i)
      if (k(i) > 20) then
        t = t - 20
        k(i) = t
      else if (k(i) > 10 .and. m(i) < 15) then
        k(i) = m(i) - t
      else
        k(i) = -t
        if (m(i) == 3) t = 100
      end if
      m(i) = t
    end do
  end subroutine

  ! The array that is passed is a constant, which no iteration changes.
  subroutine constant(x, k)
    integer, intent(in) :: k
    integer :: x(*), i
    do i = 1, k
      if (x(i) < 0) x(i) = 0
    end do
  end subroutine

  ! No element behind the array is read.
  integer function beyond(x, last, k)
    integer, intent(in) :: last, k
    integer :: x(last), i
    beyond = 0
    do i = 1, k
      m(i) = i
      if (i <= last - 1) then
        if (x(i + 1) > m(i)) m(i) = x(i + 1)
      end if
    end do
    do i = 1, k
      beyond = beyond + m(i)
    end do
  end function
end module

program conditionals
  use arrays
  use, intrinsic :: ieee_exceptions
  implicit none
  integer, parameter :: fixed(12) = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
  integer :: i, count_of, less
  logical :: raised(3)
  do i = 1, n
    b(i) = mod(i * 7, 13)
    c(i) = mod(i * 5, 11) - 2
    k(i) = mod(i * 17, 31)
    m(i) = mod(i * 11, 23)
  end do
  call both(a, b, c, n)
  print '(8f8.2)', a
  call chain(k, m, n)
  print '(12i6)', k, m
  call constant(fixed, 12)
  print *, beyond(k, n, n), fixed(3)
  do i = 1, n
    a(i) = 0
    if (c(i) /= 0) a(i) = b(i) / c(i)
  end do
  where (b > 4)
    c = sqrt(b - 4)
  elsewhere
    c = b * b
  end where
  print '(8f8.3)', a, c
  call ieee_get_flag([ieee_divide_by_zero, ieee_invalid, ieee_overflow], raised)
  print *, raised
  count_of = 0
  less = 0
  most = -1000
  do i = 1, n
    m(i) = k(i) + 1
    if (k(i) > 0) then
      count_of = count_of + 1
      most = max(most, k(i))
    else
      less = less - k(i)
    end if
  end do
  print *, count_of, less, most, sum(m)
end program
