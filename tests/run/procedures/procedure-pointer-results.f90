! procedure-pointer-results: pointers to functions whose results are pointers and arrays, mentioned before they are called.
module procedure_pointer_results_makers
  implicit none
  type node
    integer :: value = 0
    type(node), pointer :: next => null()
  end type node
  type holder
    procedure(new_number), pointer, nopass :: make => null()
  end type holder
contains
  function new_number(n) result(o)
    integer, intent(in) :: n
    integer, pointer :: o
    allocate (o)
    o = n
  end function new_number

  function new_node(n, next) result(o)
    integer, intent(in) :: n
    type(node), pointer :: next
    type(node), pointer :: o
    allocate (o)
    o%value = n
    o%next => next
  end function new_node

  function new_array(n) result(o)
    integer, intent(in) :: n
    real, pointer :: o(:)
    integer :: i
    allocate (o(0:n))
    o = [(0.5 * i, i = 0, n)]
  end function new_array

  function squares(n) result(o)
    integer, intent(in) :: n
    integer :: o(n)
    integer :: i
    o = [(i * i, i = 1, n)]
  end function squares
end module procedure_pointer_results_makers

program procedure_pointer_results
  use procedure_pointer_results_makers
  implicit none
  procedure(new_number), pointer :: number
  procedure(new_node), pointer :: link
  procedure(new_array), pointer :: array
  procedure(squares), pointer :: list
  type(holder) :: h
  integer, pointer :: i
  type(node), pointer :: first, next
  real, pointer :: r(:)

  number => new_number
  i => new_number(3)
  print *, i
  i => number(4)
  print *, i
  h%make => number
  i => h%make(5)
  print *, i

  link => new_node
  first => null()
  first => new_node(1, first)
  first => link(2, first)
  first => link(3, first)
  next => first
  do while (associated(next))
    print *, next%value
    next => next%next
  end do

  array => new_array
  r => new_array(2)
  print *, lbound(r), ubound(r), r
  r => array(3)
  print *, lbound(r), ubound(r), r

  list => squares
  print *, squares(3), list(4)
  call apply(new_number)
contains
  subroutine apply(f)
    procedure(new_number) :: f
    integer, pointer :: j
    j => f(6)
    print *, j
    j => new_number(7)
    print *, j
  end subroutine apply
end program procedure_pointer_results
