! Stores that are dead, and stores that only look dead.
program hard_dead_stores
  implicit none
  integer :: a, b, v(5), i, k
  integer, save :: kept = 0
  common /seen/ k
  a = 1
  a = 2
  print *, a
  v = 0
  do i = 1, 5
    v(i) = 100
    v(i) = i
  end do
  print *, v
  do i = 1, 5
    v(3) = i
  end do
  print *, v
  k = 5
  call look(1)
  k = 6
  k = 7
  call look(2)
  b = 10
  do i = 1, 3
    b = i
    if (i == 2) exit
    b = 0
  end do
  print *, b
  a = 1
  do i = 1, 0
    a = 2
  end do
  print *, a
  call count
  call count
  v(1) = 1
  i = 1
  v(i) = v(1) + v(i)
  v(2) = 0
  v(i + 1) = v(1) + v(2) * 5
  print *, v
contains
  subroutine count
    kept = kept + 1
    v(5) = kept
    print *, v(5)
    v(5) = 0
  end subroutine count
end program
subroutine look(n)
  implicit none
  integer, intent(in) :: n
  integer :: k
  common /seen/ k
  print *, n, k
end subroutine
