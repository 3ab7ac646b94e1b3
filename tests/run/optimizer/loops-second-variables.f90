! Scalars that advance with loops: by constants up and down, before and after their use, through nests, in loops without iterations, with
! conditionals and EXIT, in kinds of their own, and at the ends of their range.
program second
  implicit none
  integer :: a(200), b(200), i, j, k, m, n
  integer(8) :: w
  integer(1) :: s
  integer, parameter :: two = 2
  do i = 1, 200
    b(i) = 3 * i - i / 7
  end do
  do n = 0, 12, 6
    a = 0
    call through(a, b, n)
    call both_ways(a, b, n)
    call nest(a, b, n)
  end do
  k = 0
  do j = 1, 10
    do i = 1, 10
      k = k + 1
      a(k) = b(i) * j
    end do
    k = k + two
    a(k) = -1
  end do
  print *, k, sum(a), a(13), a(120)
  w = 5000000000_8
  do i = 1, 9, 2
    w = w + 4
    a(i) = int(mod(w, 100_8))
  end do
  print *, w, a(1), a(9)
  s = 100
  do i = 1, 100
    s = s - 2_1
  end do
  print *, s
  k = 0
  m = 0
  do i = 1, 20
    k = k + 1
    if (b(i) > 40) exit
    m = m + 2
    if (mod(i, 3) == 0) cycle
    m = m + 1
    a(k) = m
  end do
  print *, i, k, m
  m = 7
  i = mod(k, 5) + 2
  do while (i <= 34)
    m = m + 3
    a(i) = m
    i = i + 3
  end do
  print *, i, m, sum(a(1:34))
  k = huge(k) - 3
  do i = 1, 3
    k = k + 1
    if (k == huge(k)) a(1) = 77
  end do
  print *, k, a(1)
contains
  subroutine through(a, b, n)
    integer :: a(*), b(*), n, i, k
    k = -1
    do i = 1, n
      k = k + 2
      a(i) = b(k) + b(k + 1)
    end do
    print *, 'through', n, k, sum(a(1:200))
  end subroutine

  subroutine both_ways(a, b, n)
    integer :: a(*), b(*), n, i, k, l
    k = 150
    l = 3
    do i = n, 1, -1
      a(k) = b(l) + i
      k = k - 3
      a(k + 1) = l
      l = l + 1
    end do
    print *, 'both ways', n, k, l, sum(a(1:200))
  end subroutine

  subroutine nest(a, b, n)
    integer :: a(*), b(*), n, i, j, k
    k = 0
    do j = 1, n
      do i = j, n
        k = k + 1
        a(k) = a(k) + b(i)
        if (mod(k, 2) == 0) a(k) = -a(k)
      end do
      k = k + 1
    end do
    print *, 'nest', n, k, sum(a(1:200))
  end subroutine
end program
