! Components that point to something from the start.
module boxes
  implicit none
  integer, target :: t = 5, arr(4) = [1, 2, 3, 4]
  character(3), target :: word = 'abc'
  type box
    integer, pointer :: p => t
    integer, pointer :: v(:) => arr
    integer, pointer :: w(:) => arr(4:2:-2)
    character(3), pointer :: s => word
    integer :: k = 3
  end type
  type pair
    integer :: n
    type(box) :: b(2)
    procedure(f), pointer, nopass :: fp => f
  end type
  type(box), save :: global
  type(pair), save :: pairs(2)
contains
  integer function f(i)
    integer, intent(in) :: i
    f = i + 1
  end function
  subroutine show(b)
    type(box), intent(in) :: b
    print *, b%p, b%s, b%k
  end subroutine
  subroutine show_all(b)
    type(box), intent(in) :: b
    print *, b%p, b%v, b%w, b%s, b%k, size(b%w), lbound(b%v)
  end subroutine
  subroutine fresh(b)
    type(box), intent(out) :: b
    b%k = b%k + 1
  end subroutine
end module
program p
  use boxes
  implicit none
  type(box) :: b
  type(pair) :: d
  integer, target :: mine = 70
  call show(b)
  call show(global)
  call show(pairs(2)%b(1))
  print *, pairs(1)%fp(1), d%fp(2)
  t = 9
  arr(2) = 22
  call show(b)
  b%p => mine
  b%k = 0
  call show(b)
  b = box(k=1)
  call show_all(b)
  b = box(mine, arr(:1), arr, k=8)
  call show_all(b)
  call fresh(b)
  call show_all(b)
  call local
  call local
contains
  subroutine local
    type(box) :: x
    type(pair) :: y
    x%p = x%p + 1
    call show_all(x)
    call show_all(y%b(2))
    print *, associated(x%p, t), associated(y%b(1)%v, arr)
  end subroutine
end program
