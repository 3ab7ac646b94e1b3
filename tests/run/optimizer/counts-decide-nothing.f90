! Common subexpressions in more elements than are kept in mind: plain and profiled code are the same, though counting
! statements stand between.
program counts_decide_nothing
  implicit none
  integer :: trips, which
  common /bounds/ trips, which
  trips = 3
  which = 3
  call both
  which = 1
  call both
end program
subroutine both()
  implicit none
  integer :: trips, which, i, l
  double precision :: a(6, 5), b(6, 5)
  common /bounds/ trips, which
  call first(a, b)
  do i = 1, 2
    call scaled(a, b)
    do l = 1, trips
    end do
    a(1, 1) = a(1, 1)
    call scaled(a, b)
  end do
  print '(3f8.3)', a(1, 1), a(6, 5), sum(a)
end subroutine
subroutine scaled(a, b)
  implicit none
  integer :: trips, which
  double precision :: a(6, 5), b(6, 5)
  common /bounds/ trips, which
  if (1 == which) return
  a = b * 0.75d0
end subroutine
recursive subroutine first(a, b)
  implicit none
  integer :: i
  double precision :: a(30), b(30)
  do i = 1, 30
    a(i) = 1.0d0
    b(i) = i * 0.5d0
  end do
  if (a(1) < 0d0) call first(a, b)
end subroutine
