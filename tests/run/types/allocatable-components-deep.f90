! Allocatable components: deep copies, reallocation, nested structures, intent(out), function results.
module trees
  implicit none
  type leaf
    integer, allocatable :: v(:)
  end type
  type branch
    type(leaf), allocatable :: l(:)
    character(:), allocatable :: name
  end type
contains
  function made(n, name) result(b)
    integer, intent(in) :: n
    character(*), intent(in) :: name
    type(branch) :: b
    integer :: i, j
    allocate (b%l(n))
    do i = 1, n
      b%l(i)%v = [(j, j=1, i)]
    end do
    b%name = name
  end function
  subroutine reset(b)
    type(branch), intent(out) :: b
    print *, allocated(b%l), allocated(b%name)
    b%name = 'reset'
  end subroutine
  integer function total(b)
    type(branch), intent(in) :: b
    integer :: i
    total = 0
    if (.not. allocated(b%l)) return
    do i = 1, size(b%l)
      total = total + sum(b%l(i)%v)
    end do
  end function
end module
program allocatable_components_deep
  use trees
  implicit none
  type(branch) :: a, b
  type(branch), allocatable :: forest(:)
  a = made(4, 'oak')
  b = a
  b%l(4)%v(1) = 100
  deallocate (b%l(3)%v)
  b%l(3)%v = [7]
  print *, total(a), total(b), a%name, len(b%name)
  forest = [a, b, made(2, 'willow')]
  print *, size(forest), total(forest(1)), total(forest(2)), total(forest(3)), forest(3)%name
  call reset(forest(2))
  print *, total(forest(2)), forest(2)%name
  a%l = a%l(4:1:-2)
  print *, size(a%l), total(a)
  a = a
  print *, total(a)
end program
