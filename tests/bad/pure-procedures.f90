! What a PURE procedure must not have, change, refer to or execute; the first function is right.
module m
  implicit none
  integer :: counter = 0
  type list
    type(list), pointer :: next => null()
    integer :: k
  end type
  interface assignment(=)
    module procedure copy
  end interface
contains
  subroutine copy(a, b)
    type(list), intent(out) :: a
    type(list), intent(in) :: b
    a%k = b%k + 1
  end subroutine
  pure integer function ok(n, p, t)
    integer, intent(in) :: n
    integer, pointer :: p
    character(*), intent(in) :: t
    character(10) :: text
    integer, allocatable :: w(:)
    integer :: i
    type(list), target :: here
    type(list), pointer :: q
    write (text, '(i0)') n
    read (t, *) ok
    allocate (w(n))
    do i = 1, n
      w(i) = i
    end do
    q => here
    q%k = 3
    nullify (q)
    if (n < 0) error stop 'negative'
    block
      integer :: j
      j = 2
      ok = ok + j + sum(w)
    end block
    deallocate (w)
    ok = ok + inner(2)
  contains
    pure integer function inner(k)
      integer, intent(in) :: k
      inner = k * n
    end function
  end function
  pure subroutine bad(x, y, l)
    integer, intent(in) :: x
    integer, intent(inout) :: y
    type(list), intent(in) :: l
    type(list), pointer :: q
    type(list) :: a
    integer :: z
    common /c/ z
    counter = counter + 1
    z = 1
    l%next%k = 2
    q => l%next
    y = impure(x)
    call change(y)
    call random_seed()
    print *, y
    write (6, *) y
    read (*, *) y
    open (1)
    if (y > 2) stop
    a = l
    do counter = 1, 2
    end do
  end subroutine
  pure integer function bad2(x, p, f)
    integer :: x
    integer, pointer :: p
    integer, external :: f
    integer, save :: s
    integer :: t = 1
    integer, volatile :: v
    p = 1
    bad2 = 1
  contains
    subroutine inner
    end subroutine
  end function
  integer function impure(k)
    integer, intent(in) :: k
    impure = k
  end function
  subroutine change(k)
    integer, intent(inout) :: k
    k = 1
  end subroutine
end module
program p
  use m
  integer :: i
  real :: r
  do concurrent (i = 1:3)
    call random_number(r)
    i1 = impure(i)
    j1 = ok(i, null(), '1')
  end do
end program
