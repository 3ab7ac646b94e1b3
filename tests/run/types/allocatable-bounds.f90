! Assignment to an allocatable: the bounds that it gets, values whose extents depend on the old bounds, and
! components that are not allocated.
program main
  implicit none
  type owner
    integer, allocatable :: v(:)
    character(:), allocatable :: s
  end type owner
  type cell
    integer :: i
  end type cell
  integer, allocatable :: a(:), b(:), none(:)
  integer(8), allocatable :: wide(:)
  character(:), allocatable :: text, other
  type(owner) :: x
  type(cell) :: c(0:3)
  integer :: k
  b = [(k, k = 1, 8)]
  allocate(a(5))
  a = b(1:size(a)-1)
  print *, size(a), a
  a = b(size(a):1:-1)
  print *, size(a), a
  a = b(ubound(a, 1):8)
  print *, size(a), a
  a = a(2:)
  print *, size(a), a
  allocate(wide(-1:2))
  wide = [1, 2, 3, 4]
  deallocate(a)
  a = wide
  print *, lbound(a), ubound(a), a
  deallocate(a)
  a = (wide)
  print *, lbound(a), ubound(a)
  deallocate(a)
  a = int(wide)
  print *, lbound(a), ubound(a)
  x = owner(a, 'abc')
  print *, lbound(x%v), ubound(x%v), x%v, len(x%s), x%s
  x = owner(none, x%s // x%s)
  print *, allocated(x%v), len(x%s), x%s
  x = owner(int(wide), null())
  print *, allocated(x%v), allocated(x%s)
  c%i = [5, 6, 7, 8]
  print *, lbound(c), lbound(c%i), ubound(c%i), lbound((c)), lbound(c(:))
  associate (p => c, q => c%i, r => c(1:))
    print *, lbound(p), lbound(q), lbound(r), q(1), r(1)%i
  end associate
  text = '@HERE    IT IS'
  other = 'abcdefghijklmnopqrstuvwxyz'
  text = adjustl(text(2:))
  print *, text, len(text)
  text = text(index(text, ' '):)
  text = other(len(text):)
  print *, text, len(text)
  text = other(1:len(text) / 2)
  print *, text, len(text)
end program main
