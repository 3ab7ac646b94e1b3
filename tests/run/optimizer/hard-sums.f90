! Sums of integers in loops: several terms, differences, sums that are used in between, kinds, few iterations
module sums
  implicit none
  integer, parameter :: n = 1003
  integer :: a(n), b(n)
  integer(8) :: w(n)
  integer(2) :: h(n)
contains
  integer function plain(k)
    integer, intent(in) :: k
    integer :: i, s
    s = 5
    do i = 1, k
      s = s + a(i)
    end do
    plain = s
  end function

  integer function two_terms(k)
    integer, intent(in) :: k
    integer :: i
    two_terms = 0
    do i = 1, k
      two_terms = two_terms + a(i) * 3 + b(i)
    end do
  end function

  integer(8) function differences(k)
    integer, intent(in) :: k
    integer :: i
    differences = 0
    do i = 1, k
      differences = differences - w(i) - 3
    end do
  end function

  integer function two_sums(k)
    integer, intent(in) :: k
    integer :: i, t
    two_sums = 0
    t = 0
    do i = 1, k
      two_sums = two_sums + iand(a(i), b(i))
      t = t + mod(i, 10) * b(i)
      if (i > 100000) exit
    end do
    two_sums = two_sums + t
  end function

  integer function before(k, last)
    integer, intent(in) :: k
    integer, intent(out) :: last
    integer :: i
    before = 0
    last = -1
    do i = 1, k
      last = before
      before = before + a(i)
    end do
  end function

  integer function running(k)
    integer, intent(in) :: k
    integer :: i
    running = 0
    do i = 1, k
      running = running + a(i)
      b(i) = running
    end do
  end function

  integer function changing(k)
    integer, intent(in) :: k
    integer :: i, j
    changing = 0
    do j = 1, 3
      do i = 1, k
        changing = changing + a(i) + h(i)
        a(k + 1 - i) = i
      end do
    end do
  end function
end module

program main
  use sums
  implicit none
  integer :: i, last, k
  do i = 1, n
    a(i) = (i - 300) * 761
    b(i) = i * 17
    w(i) = i * 123456789123_8
    h(i) = int(mod(i, 99), 2)
  end do
  do k = 0, 12
    print *, plain(k), two_terms(k), differences(k), two_sums(k), before(k, last), last
  end do
  print *, plain(n), two_terms(n), differences(n), two_sums(n), before(n, last), last
  print *, sum(a), sum(w), sum(a / 100 * b), sum(int(h)), sum(a(1:n:2)), sum(w(n:1:-1))
  print *, running(n), changing(n), sum(b), sum(a)
end program
