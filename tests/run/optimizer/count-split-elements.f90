! A loop that is split: a condition that counts only reads elements which the other part does not write, and some that it does.
program split_elements
  implicit none
  double precision :: a(16, 16), b(16), c(8, 8)
  integer :: i, k
  do k = 1, 16
    b(k) = mod(k*5, 7)
    do i = 1, 16
      a(i, k) = mod(i*3 + k*7, 11)*0.1d0
    end do
  end do
  call constants(a, b)
  call not_apart(a, c)
  call stored_for_counts(b, 2, 3)
  print '(4f10.3)', a(1:4, 1:4), b
contains
  subroutine constants(a, b)
    double precision, intent(inout) :: a(:, :), b(:)
    double precision :: u
    integer :: k, l
    do k = 1, 2
      a(1, 1) = 1.0d0
      do l = 1, 2
        u = b(1) + a(3, 1)
        if (u > 0.5d0) then
        end if
        b(1) = b(l)
      end do
    end do
  end subroutine
  subroutine not_apart(a, c)
    double precision, intent(inout) :: a(:, :), c(:, :)
    double precision :: u
    integer :: k, l
    do k = 1, 8
      a(k, 4) = k
      do l = 1, 4
        u = a(k + 1, 4)
        if (u > 0.5d0) then
        end if
        c(1, l) = 1.0d0
      end do
    end do
  end subroutine
  ! Nothing but a condition without statements reads d; that it is stored to depends on memory that the loop writes.
  subroutine stored_for_counts(b, n, j)
    double precision, intent(inout) :: b(:)
    integer, intent(in) :: n, j
    double precision :: d(6, 8), u
    integer :: k, l
    d = 0
    do k = 1, n
      if (achar(modulo(k, 5)) /= 'b') d(j, 1) = 1.0d0
      do l = 1, 2
        u = d(3, 1)
        if (u > 0.5d0) then
        end if
        b(1) = b(l)
      end do
    end do
  end subroutine
end program
