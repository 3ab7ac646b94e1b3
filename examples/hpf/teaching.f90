! teaching: four loop transformations, one after the other, for teachers.
!
! Algorithms: small textbook nests; the transformations are those of K. Kennedy
! and R. Allen, "Optimizing Compilers for Modern Architectures" (2001). Each
! section says what an optimizer may do with it and what it may not, and prints
! one number that must not change. Ask for the story of any of its lines.
program teaching
  implicit none
  integer, parameter :: n = 400
  integer, parameter :: repeats = 500
  double precision :: a(n, n), b(n, n), c(n, n), v(n), w(n)
  double precision :: factor, total
  logical :: scaled
  integer :: i, j, round
!HPF$ PROCESSORS procs(4)
!HPF$ DISTRIBUTE a(*, BLOCK) ONTO procs
!HPF$ ALIGN (i, j) WITH a(i, j) :: b, c

  call start(a, b, c, v, w, n)

  do round = 1, repeats

    ! 1. Fusion. Both nests run over the same points, and the second one reads
    !    only what the first has just written at the same point. An optimizer may
    !    make one nest of them; b(i, j) then is still in a register. The two DO
    !    statements of each depth are merged: one loop now counts for both.
!HPF$ INDEPENDENT, NEW(i)
    do j = 1, n
      do i = 1, n
        b(i, j) = a(i, j) * 0.5d0 + 1.0d0
      end do
    end do
!HPF$ INDEPENDENT, NEW(i)
    do j = 1, n
      do i = 1, n
        c(i, j) = c(i, j) + b(i, j)
      end do
    end do

    ! 2. Interchange. Fortran stores columns, so j inside i jumps through memory
    !    by n elements a step. Every point depends on its left neighbour, whose
    !    column is lower: the order of i is free, that of j must stay ascending.
    !    An optimizer may make i the inner loop.
    do i = 1, n
      do j = 2, n
        a(i, j) = a(i, j - 1) * 0.25d0 + c(i, j) * 0.125d0
      end do
    end do

    ! 3. Unswitching. The question does not change within the nest. An optimizer
    !    may ask it once and keep two nests, one without any IF in it. The IF was
    !    asked n * n times in the source and is asked once in the machine: its
    !    count is still known, because it is that of the loop around it.
    scaled = mod(round, 3) == 0
    factor = 1.0d0 / dble(round)
    do j = 1, n
      do i = 1, n
        if (scaled) then
          c(i, j) = c(i, j) * factor
        else
          c(i, j) = c(i, j) - factor
        end if
      end do
    end do

    ! 4. Peeling. The first iteration looks across the seam, all others look one
    !    back. An optimizer may take the first iteration out of the loop; the rest
    !    then has no IF, and v(i - 1) stays in a register from one to the next.
    do i = 1, n
      if (i == 1) then
        v(i) = 0.5d0 * (v(n) + w(i))
      else
        v(i) = 0.5d0 * (v(i - 1) + w(i))
      end if
    end do

    ! 5. What may not be done. These two loops must stay apart: the second reads
    !    w(i + 1), which a fused loop would not have changed yet, and the first
    !    reads v from its far end, half of which a fused loop would have changed.
    do i = 1, n
      w(i) = 0.75d0 * w(i) + v(n + 1 - i) * 0.0625d0 + 0.125d0
    end do
    do i = 1, n - 1
      v(i) = v(i) - w(i + 1) * 0.03125d0
    end do

  end do

  total = 0.0d0
  do j = 1, n
    do i = 1, n
      total = total + a(i, j)
    end do
  end do
  print *, 'a', total
  total = 0.0d0
  do j = 1, n
    do i = 1, n
      total = total + c(i, j)
    end do
  end do
  print *, 'c', total
  total = 0.0d0
  do i = 1, n
    total = total + v(i) * w(i)
  end do
  print *, 'v', total
end program teaching

! Values that are exact in binary, so that they are the same everywhere.
subroutine start(a, b, c, v, w, n)
  implicit none
  integer, intent(in) :: n
  double precision, intent(out) :: a(n, n), b(n, n), c(n, n), v(n), w(n)
  integer :: i, j

  do j = 1, n
    do i = 1, n
      a(i, j) = dble(mod(i + 3 * j, 16)) * 0.25d0
      b(i, j) = 0.0d0
      c(i, j) = dble(mod(5 * i + j, 8)) * 0.5d0
    end do
    v(j) = dble(mod(j, 7)) * 0.125d0
    w(j) = dble(mod(j, 5)) * 0.25d0
  end do
end subroutine start
