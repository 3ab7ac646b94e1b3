! Ranks that end before they have added up their counts: each has counted the arms that it has executed. It reads how it ends: 0 in order, 1 by an
! error on all ranks, 2 by a signal that a procedure in C sends one rank, 3 by an error on the rank of one element.
program early
  integer, parameter :: n = 24
  real(8) :: a(n, n), b(n, n), w(n)
  integer :: i, j, k, m(n), way, few
  integer, external :: leave
!HPF$ DISTRIBUTE a(*, BLOCK)
!HPF$ ALIGN b(i, j) WITH a(i, j)
!HPF$ DISTRIBUTE w(CYCLIC)
!HPF$ DISTRIBUTE m(BLOCK)
  read (5, *) way
  do j = 1, n
    do i = 1, n
      a(i, j) = mod(i * j, 9)
      b(i, j) = 0
    end do
    w(j) = mod(j, 5)
    m(j) = j
  end do
  do k = 1, 3
    do j = 2, n - 1
      do i = 1, n
        if (a(i, j) > 3 .and. a(i, j + 1) < 7) then
          b(i, j) = a(i, j - 1) + a(i, j + 1)
        else if (a(i, j) > 1) then
          b(i, j) = b(i, j) + 1
          if (mod(i, 3) == 0) b(i, j) = -b(i, j)
        else
          if (a(i, j - 1) > 4) then
            b(i, j) = a(i, j)
          else
            b(i, j) = 2
          end if
        end if
      end do
    end do
    do j = 1, n
      select case (int(w(j)))
      case (0:2)
        w(j) = w(j) + 1
      case (3)
      case default
        w(j) = 0
      end select
      if (w(j) > 2) then
        w(j) = w(j) - 1
      else
        w(j) = w(j) + k
      end if
      if (j > 3) then
        if (w(j) > 1) w(j) = w(j) - 1
      end if
    end do
  end do
  ! Nobody has these sums before all have come here.
  print *, sum(b), sum(w)
  if (way == 1) read (5, *) few
  if (way == 2) few = leave()
  if (way == 3) then
    do i = 1, n
      if (m(i) > 2) then
        m(i) = 100 / (m(i) - 17)
      end if
    end do
  end if
  print *, sum(m)
end program
