! A linked list
! check 1.478020000000000E+05
module kernel
  use support
  implicit none
  integer, parameter :: n = 300
  type node
    integer :: value
    type(node), pointer :: next
  end type
  type(node), pointer :: head
  integer :: s
contains
  subroutine setup()
    integer :: i
    type(node), pointer :: new
    nullify (head)
    do i = 1, n
      allocate (new)
      new%value = mod(draw() / 16, 1000)
      new%next => head
      head => new
    end do
  end subroutine

  subroutine run()
    type(node), pointer :: at
    s = 0
    at => head
    do while (associated(at))
      s = s + at%value
      at => at%next
    end do
  end subroutine

  real(8) function check()
    check = s
  end function
end module
