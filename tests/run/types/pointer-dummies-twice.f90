! A pointer that is passed twice, or changed by its name in a module while it is a dummy argument.
module m
  implicit none
  real, pointer :: g(:) => null()
  real, target :: t1(5) = [1.,2.,3.,4.,5.], t2(3) = [10.,20.,30.]
  type node
    integer :: v = 0
    type(node), pointer :: next => null()
  end type
  type(node), pointer :: head => null()
contains
  subroutine twice(a, b)
    real, pointer :: a(:), b(:)
    a => t2
    print *, size(b), b
    b => t1(2:3)
    print *, size(a), a
  end subroutine
  subroutine byname(a)
    real, pointer :: a(:)
    g => t2
    print *, size(a), a
    a => t1(1:5:2)
    print *, size(g), g
    nullify(a)
    print *, associated(g)
  end subroutine
  subroutine push(h, v)
    type(node), pointer, intent(inout) :: h
    integer, intent(in) :: v
    type(node), pointer :: n
    allocate(n)
    n%v = v
    n%next => head
    h => n
    if (associated(head, h)) print *, 'same'
  end subroutine
  recursive subroutine insert(p, v)
    type(node), pointer :: p
    integer, intent(in) :: v
    if (.not. associated(p)) then
      allocate(p)
      p%v = v
    else
      call insert(p%next, v)
    end if
  end subroutine
  subroutine scal(a,b)
    integer, pointer :: a, b
    integer, target, save :: x = 7
    a => x
    print *, associated(b, x), b
  end subroutine
  subroutine alc(a, b)
    real, allocatable :: a(:), b(:)
    if (allocated(a)) deallocate(a)
    print *, allocated(b)
    allocate(b(4)); b = 3
    print *, allocated(a), size(a)
  end subroutine
  subroutine chr(a, b)
    character(:), pointer :: a, b
    allocate(character(5)::a)
    a = 'hello'
    print *, len(b), b
  end subroutine
end module
program p
  use m
  implicit none
  real, pointer :: q(:)
  integer, pointer :: k
  integer :: i
  character(:), pointer :: c
  type(node), pointer :: w
  q => t1
  call twice(q, q)
  print *, q
  g => t1
  call byname(g)
  do i = 1, 3
    call push(head, i)
  end do
  call insert(head, 9)
  w => head
  do while (associated(w))
    print *, w%v
    w => w%next
  end do
  allocate(k); k = 1
  call scal(k,k)
  allocate(character(2)::c)
  c = 'ab'
  call chr(c,c)
  print *, c
end program
