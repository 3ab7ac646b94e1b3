! Loops of all kinds, each of which notes the trips of its entries itself; the profile must say the same.
module keep
  implicit none
  integer, parameter :: loops = 20
  integer :: seen = 0
  integer(8) :: least(loops) = huge(0_8), most(loops) = -1, buckets(0:64, loops) = 0
contains
  subroutine note(which, n)
    integer, intent(in) :: which
    integer(8), intent(in) :: n
    integer(8) :: left
    integer :: k
    k = 0
    left = n
100 if (left > 0) then
      left = left / 2
      k = k + 1
      goto 100
    end if
    least(which) = min(least(which), n)
    most(which) = max(most(which), n)
    buckets(k, which) = buckets(k, which) + 1
  end subroutine
  subroutine counted(n, s, a)
    integer, intent(in) :: n, s
    real, intent(inout) :: a(:)
    integer :: i
    integer(8) :: c
    c = 0
    do i = 1, n, s          ! L1
      a(i) = a(i) + 1.0
      c = c + 1
    end do
    call note(1, c)
    c = 0
    do i = n, 1, -s          ! L2
      a(i) = a(i) * 0.5
      c = c + 1
    end do
    call note(2, c)
  end subroutine
  integer function find(a, x) result(r)
    real, intent(in) :: a(:), x
    integer :: i
    r = 0
    do i = 1, size(a)          ! L3
      if (a(i) > x) then
        r = i
        call note(3, int(i, 8))
        return
      end if
    end do
    call note(3, int(size(a), 8))
  end function
  subroutine inlined(n)
    integer, intent(in) :: n
    integer :: i
    do i = n, 10, 3            ! L10
      seen = seen + i
    end do
    call note(10, int((10 - n + 3) / 3, 8))
  end subroutine
  recursive subroutine down(n)
    integer, intent(in) :: n
    integer :: i
    if (n <= 0) return
    do i = 1, n                ! L4
      if (i == 3) then
        call note(4, 3_8)
        goto 20
      end if
      call down(n - 2)
    end do
    call note(4, int(n, 8))
20  continue
  end subroutine
  subroutine sign_of(a, x)
    real, intent(in) :: a(:), x
    integer :: i
    integer(8) :: c
    c = 0
    do i = 1, size(a)          ! L11
      c = c + 1
      if (a(i) - x) 10, 20, 30
20    call note(11, c)
      return
10    continue
    end do
    call note(11, c)
    return
30  call note(11, c)
  end subroutine
  subroutine chosen(n)
    integer, intent(in) :: n
    integer :: i, j
    integer(8) :: c, d
    c = 0
    do i = 1, n                ! L12
      c = c + 1
      d = 0
      do j = 1, 9              ! L13
        d = d + 1
        go to (40, 50, 60, 70), mod(i * j, 7)
        seen = seen + 1
        cycle
40      seen = seen + 2
50      continue
      end do
      call note(13, d)
      cycle
60    call note(13, d)
      seen = seen + 3
    end do
    call note(12, c)
    return
70  call note(13, d)
    call note(12, c)
  end subroutine
end module
program p
  use keep
  implicit none
  real :: a(1000), t(40, 40)
  integer :: i, j, k, m, n
  integer(8) :: c
  a = 0.0
  do i = 1, 30
    call counted(i * 7 - 8, 1 + mod(i, 3), a)
  end do
  do i = 1, 1000
    a(i) = i
  end do
  do i = 1, 50
    m = m + find(a(1:i*20), real(mod(i * 37, 1100)))
  end do
  call down(9)
  c = 0
  do i = 1, 40                ! triangular
    do j = i, 40, 2           ! L5
      t(j, i) = i + j
    end do
    c = 0
    do j = i, 40, 2
      c = c + 1
    end do
    call note(5, c)
  end do
  n = 27
  do k = 1, 20
    n = k
    c = 0
    do while (n /= 1)          ! L6
      if (mod(n, 2) == 0) then
        n = n / 2
      else
        n = 3 * n + 1
      end if
      c = c + 1
    end do
    call note(6, c)
  end do
  do k = 1, 10
    c = 0
    outer: do i = 1, k        ! L7
      c = c + 1
      do j = 1, 5
        if (j == i) cycle outer
        if (i * j > 12) exit outer
      end do
    end do outer
    call note(7, c)
  end do
  do k = 1, 30
    c = 0
    n = 0
    do                         ! L8
      c = c + 1
      n = n + k
      if (mod(n, 3) == 0 .and. n < 40) cycle
      if (n > 50) exit
      call inlined(mod(n, 5))
    end do
    call note(8, c)
  end do
  do k = -5, 5
    do i = 1, k                ! L9
      t(1, 1) = t(1, 1) + 1.0
    end do
    call note(9, int(max(k, 0), 8))
  end do
  call inlined(2)
  call inlined(4)
  call inlined(1)
  do i = 1, 40
    call sign_of(a(1:i), real(i * 3) / 4.0)
    call sign_of(a(1:i), 50.0)
  end do
  do i = 0, 12
    call chosen(i)
  end do
  do i = 1, loops
    if (most(i) < 0) cycle
    print '(a,i0,a,i0,a,i0,65(1x,i0))', 'L', i, ' ', least(i), ' ', most(i), buckets(:, i)
  end do
end program
