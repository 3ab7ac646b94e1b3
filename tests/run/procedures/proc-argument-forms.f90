! Optional, allocatable, assumed-shape, explicit-shape and elemental arguments, given in every form.
program p
  implicit none
  integer, allocatable :: a(:), b(:,:)
  integer :: i
  call opt()
  call opt(a)
  allocate(a(3)); a = [1,2,3]
  call opt(a)
  call alloc(b, 2, 3)
  print *, shape(b), b
  call alloc(b, 3, 1)
  print *, shape(b), b
  call ass(a(3:1:-1))
  call ass(reshape(b, [3]))
  call expl(a, 2)
  print *, elem(1.0, [1.0,2.0]), elem([1.0, 2.0])
  print *, add(1), add(1, 2), add(j=3, i=4)
contains
  subroutine opt(x)
    integer, intent(in), optional :: x(:)
    if (present(x)) then
      print *, 'size', size(x), x
    else
      print *, 'none'
    end if
  end subroutine
  subroutine alloc(x, n, m)
    integer, allocatable, intent(out) :: x(:,:)
    integer, intent(in) :: n, m
    print *, allocated(x)
    allocate(x(n,0:m-1))
    x = n*10+m
    x(:,0) = -1
  end subroutine
  subroutine ass(x)
    integer, intent(in) :: x(0:)
    print *, lbound(x), ubound(x), x(0), x(ubound(x,1))
  end subroutine
  subroutine expl(x, n)
    integer, intent(in) :: n
    integer, intent(inout) :: x(n)
    x = x*2
    print *, x, size(x)
  end subroutine
  elemental real function elem(x, y)
    real, intent(in) :: x
    real, intent(in), optional :: y
    elem = x
    if (present(y)) elem = x + 10*y
  end function
  pure integer function add(i, j)
    integer, intent(in) :: i
    integer, intent(in), optional :: j
    add = i
    if (present(j)) add = add + 100*j
  end function
end program
