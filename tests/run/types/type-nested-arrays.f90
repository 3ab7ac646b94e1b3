! Arrays of structures that have arrays of structures: sections of components at every depth.
program type_nested_arrays
  implicit none
  type inner
    integer :: v(3) = [1, 2, 3]
    character(4) :: tag = 'none'
  end type
  type outer
    type(inner) :: in(2)
    real :: w = 0.5
  end type
  type(outer) :: o(3), copy(3)
  integer :: i
  do i = 1, 3
    o(i)%w = i
    o(i)%in(2)%v = 10*i + [1, 2, 3]
    o(i)%in(1)%tag(2:3) = achar(64 + i)//'x'
  end do
  print *, o%w
  print *, o(:)%in(2)%v(1)
  print *, o(2)%in(:)%v(3)
  print '(3a6)', o%in(1)%tag
  print '(3a6)', o(3:1:-1)%in(1)%tag(1:3)
  copy = o(3:1:-1)
  copy(2)%in = copy(1)%in
  print *, copy%in(2)%v(2), sum(copy(2)%in(2)%v)
  o(1)%in(2:1:-1) = o(3)%in
  print *, o(1)%in(1)%v, o(1)%in(2)%v
  print *, size(o%in(1)%v(2)), any(o%w > 2.5), maxval(o(:)%in(2)%v(3))
end program
