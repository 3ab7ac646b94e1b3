! An allocatable on the left takes the shape of the right side.
module store
  implicit none
  real, allocatable :: kept(:)
contains
  subroutine keep(x)
    real, intent(in) :: x(:)
    kept = x * 2.0
  end subroutine
  subroutine grow(a, v)
    integer, allocatable, intent(inout) :: a(:)
    integer, intent(in) :: v
    if (.not. allocated(a)) then
      a = [v]
    else
      a = [a, v]
    end if
  end subroutine
end module

program reallocate
  use store
  implicit none
  integer, allocatable :: a(:), b(:), m(:, :)
  real, allocatable :: r(:)
  integer :: i
  a = [1, 2, 3]
  print *, size(a), lbound(a), ubound(a), a
  b = a
  a = [a, b, 10]
  print *, size(a), a
  a = a(2:5)
  print *, size(a), lbound(a), a
  a = a + 1
  print *, a
  deallocate (a)
  allocate (a(0:3))
  a = [5, 6, 7, 8]
  print *, lbound(a), ubound(a), a
  a(:) = 9
  print *, a
  a = 4
  print *, lbound(a), a
  m = reshape([1, 2, 3, 4, 5, 6], [2, 3])
  print *, shape(m), m
  m = transpose(m)
  print *, shape(m), m
  do i = 1, 4
    r = [real :: i, sqrt(real(i))]
    call keep(r)
    r = kept(1:1)
    print *, size(r), size(kept), r, kept
  end do
  deallocate (a)
  do i = 1, 6
    call grow(a, i * i)
  end do
  print *, size(a), a
  a = [(2*i, i = 1, 7)]
  print *, a
  a = pack(a, mod(a, 4) == 0)
  print *, size(a), a
  a = [integer ::]
  print *, size(a), allocated(a)
end program
