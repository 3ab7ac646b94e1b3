! Pointer components: a linked list and a binary tree.
module lists
  implicit none
  type node
    integer :: value
    type(node), pointer :: next => null()
  end type
  type tree
    integer :: key = 0
    type(tree), pointer :: left => null(), right => null()
  end type
contains
  subroutine push(head, v)
    type(node), pointer :: head
    integer, intent(in) :: v
    type(node), pointer :: new
    allocate (new)
    new%value = v
    new%next => head
    head => new
  end subroutine
  recursive subroutine insert(t, k)
    type(tree), pointer :: t
    integer, intent(in) :: k
    if (.not. associated(t)) then
      allocate (t)
      t%key = k
    else if (k < t%key) then
      call insert(t%left, k)
    else
      call insert(t%right, k)
    end if
  end subroutine
  recursive function depth(t) result(d)
    type(tree), pointer :: t
    integer :: d
    d = 0
    if (associated(t)) d = 1 + max(depth(t%left), depth(t%right))
  end function
  recursive subroutine walk(t)
    type(tree), pointer :: t
    if (.not. associated(t)) return
    call walk(t%left)
    print *, t%key
    call walk(t%right)
  end subroutine
end module

program list
  use lists
  implicit none
  type(node), pointer :: head, p, q
  type(tree), pointer :: root
  integer :: i, total
  integer :: keys(7) = [50, 20, 70, 10, 30, 60, 80]
  nullify (head)
  do i = 1, 10
    call push(head, i * i)
  end do
  total = 0
  p => head
  do while (associated(p))
    total = total + p%value
    p%value = -p%value
    p => p%next
  end do
  print *, total, head%value, head%next%value, head%next%next%value
  ! Reverse it.
  nullify (q)
  do while (associated(head))
    p => head%next
    head%next => q
    q => head
    head => p
  end do
  p => q
  do while (associated(p))
    print *, p%value
    head => p%next
    deallocate (p)
    p => head
  end do
  nullify (root)
  do i = 1, 7
    call insert(root, keys(i))
  end do
  print *, depth(root)
  call walk(root)
  print *, root%left%right%key, associated(root%left%left%left)
end program
