! What is not allocated or not associated is an absent optional argument; optional arguments of intrinsic functions.
program main
  implicit none
  integer, allocatable, target :: i
  integer, pointer :: p
  real, allocatable :: y(:)
  character(:), allocatable :: z
  integer :: k, a(2, 3) = reshape([(k, k = 1, 6)], [2, 3])
  nullify(p)
  call pass(i, y, z)
  call pass(p)
  allocate(i)
  i = 5
  y = [1.0, 2.0]
  z = 'hello'
  p => i
  call pass(i, y, z)
  call pass(y=y(1:1), z=z(2:3))
  call pass(p)
  call by_value(1)
  call by_value(1, 2)
  call by_value(3, r=2.0)
  print *, most(3, 4), most(5), most()
  print *, number(1.0), number(1.0, 2.0)
  print *, extent(a), extent(a, 1), extent(a, 2)
  print *, over(a(:, 1)), over(a(:, 1), a(:, 2))
contains
  subroutine see(x, y, z)
    integer, optional :: x
    real, optional :: y(:)
    character(*), optional :: z
    print *, present(x), present(y), present(z)
    if (present(x)) print *, x
    if (present(y)) print *, size(y), y
    if (present(z)) print *, z
  end subroutine see

  subroutine pass(x, y, z)
    integer, optional :: x
    real, optional :: y(:)
    character(*), optional :: z
    call see(x, y, z)
  end subroutine pass

  subroutine by_value(n, x, r)
    integer, value :: n
    integer, value, optional :: x
    real, value, optional :: r
    print *, n, present(x), present(r)
    if (present(x)) then
      x = x + 1
      print *, x
    end if
  end subroutine by_value

  integer function most(a, b)
    integer, optional, intent(in) :: a, b
    most = max(1, 2, a, b)
  end function most

  complex function number(x, y)
    real, intent(in) :: x
    real, intent(in), optional :: y
    number = cmplx(x, y)
  end function number

  integer function extent(a, d)
    integer, intent(in) :: a(:, :)
    integer, intent(in), optional :: d
    extent = size(a, dim=d)
  end function extent

  integer function over(b, a)
    integer, intent(in) :: b(:)
    integer, intent(in), optional :: a(:)
    over = sum(sum_of(a, b))
  end function over

  elemental integer function sum_of(a, b)
    integer, intent(in), optional :: a
    integer, intent(in) :: b
    sum_of = b
    if (present(a)) sum_of = a + b
  end function sum_of
end program main
