! Counts that are made of what is moved or eliminated: a nest whose inner loop is sometimes empty is
! interchanged, and a loop whose bound is a copy of a copy is dead where it is inlined.
program counts_of_what_goes
  implicit none
  integer :: n, i, j, k, l
  double precision :: a(8, 0:9)
  common /sizes/ n
  common /arrays/ a
  call set
  a = 0d0
  do i = 1, 2
    do j = 1, 4
      do k = 0, n
        do l = i, 1
          a(1, l) = a(1, l) + 1d0
        end do
      end do
    end do
  end do
  call unused
  print *, a(1, 1), a(1, 2)
end program

subroutine set
  integer :: n
  common /sizes/ n
  n = 4
end subroutine

subroutine unused
  implicit none
  integer :: b(8)
  call fill(b, 8, 3)
end subroutine

subroutine fill(b, n, k)
  implicit none
  integer :: n, k, i, b(n)
  do i = 1, n
    b(i) = mod(i*k + 3, 8) + 1
  end do
end subroutine
