! What only counts reads memory: of an array whose bounds nothing else needs, between loops that fuse, and in one part of a
! loop that is split while the other part writes it.
program hard_memory_counts
  implicit none
  integer :: k, n
  double precision :: a(6, 6), b(6, 6), s(9)
  common /n/ n
  common /s/ s
  a = 1
  b = 0
  do k = 1, 4
    n = k - 1
    call bounds(k, a, b)
    call between(k)
    call split(k, a, b)
  end do
  print *, a, b, s
end program
subroutine bounds(n, a, b)
  implicit none
  integer :: n, i
  double precision :: a(n, n), b(0:n, n)
  do i = 1, 3
    if (a(1, n) < 1.5d0) then
    end if
    if (b(n, 1) + i < 3d0) then
    end if
  end do
  a(1, n) = a(1, n) + 1
end subroutine
subroutine between(k)
  implicit none
  integer :: n, i, k
  double precision :: s(9), t(9)
  common /n/ n
  common /s/ s
  s = k
  do i = 0, n
  end do
  t = 2
  do i = 1, int(s(4))
  end do
  s = s + t
end subroutine
subroutine split(k, a, b)
  implicit none
  integer :: i, j, k, m
  double precision :: a(6, 6), b(6, 6), c(6, 6), u
  common /scratch/ c
  do i = 1, 4
    do j = 1, 6
      u = b(2, 2)
      if (u <= 2) then
      end if
      c(i, j) = k
    end do
    b(i, i) = b(i, i) + c(1, 1)
  end do
  do i = 1, 6
    b(i, 3) = b(i, 3) + k
    do j = 1, 5
      if (b(3, 3) > j + i) then
      end if
      a(i, j) = 2
    end do
  end do
  m = 0
  do i = 1, 4
    do j = 1, 6
      do while (m < i + k)
        m = m + 1
        if (b(3, 4) > m) then
        end if
      end do
      c(i, j) = 1
    end do
    b(i, 4) = i + k
  end do
end subroutine
