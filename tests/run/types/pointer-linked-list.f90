! Linked lists and trees of pointers: insertion, reversal, deletion, association of what was released elsewhere.
module lists
  implicit none
  type node
    integer :: key
    type(node), pointer :: next => null()
  end type
  type list
    type(node), pointer :: head => null()
    integer :: n = 0
  end type
contains
  subroutine insert(l, key)
    type(list), intent(inout) :: l
    integer, intent(in) :: key
    type(node), pointer :: p, q, new
    allocate (new)
    new%key = key
    nullify (q)
    p => l%head
    do while (associated(p))
      if (p%key >= key) exit
      q => p
      p => p%next
    end do
    new%next => p
    if (associated(q)) then
      q%next => new
    else
      l%head => new
    end if
    l%n = l%n + 1
  end subroutine
  subroutine reverse(l)
    type(list), intent(inout) :: l
    type(node), pointer :: p, q, r
    p => l%head
    nullify (q)
    do while (associated(p))
      r => p%next
      p%next => q
      q => p
      p => r
    end do
    l%head => q
  end subroutine
  subroutine show(l)
    type(list), intent(in) :: l
    type(node), pointer :: p
    p => l%head
    do
      if (.not. associated(p)) exit
      write (*, '(i4)', advance='no') p%key
      p => p%next
    end do
    write (*, '(a,i3)') ' :', l%n
  end subroutine
  subroutine drop(l, key)
    type(list), intent(inout) :: l
    integer, intent(in) :: key
    type(node), pointer :: p, q
    if (.not. associated(l%head)) return
    if (l%head%key == key) then
      p => l%head
      l%head => p%next
      deallocate (p)
      l%n = l%n - 1
      return
    end if
    q => l%head
    do while (associated(q%next))
      if (q%next%key == key) then
        p => q%next
        q%next => p%next
        deallocate (p)
        l%n = l%n - 1
        return
      end if
      q => q%next
    end do
  end subroutine
end module
program pointer_linked_list
  use lists
  implicit none
  type(list) :: l
  integer :: i
  do i = 1, 7
    call insert(l, mod(i*5, 11))
  end do
  call show(l)
  call reverse(l)
  call show(l)
  call drop(l, 10)
  call drop(l, 4)
  call drop(l, 77)
  call show(l)
  do while (associated(l%head))
    call drop(l, l%head%key)
  end do
  call show(l)
end program
