! Memory that is reached by pointers in allocatables, by targets in other memory, by an address inside, and by saved variables.
module pool
  type item
    integer, pointer :: v(:) => null()
  end type
  type(item), allocatable :: items(:)
  type(item), pointer :: first => null()
contains
  subroutine fill(n)
    integer, intent(in) :: n
    integer, pointer, save :: all(:) => null()
    integer, pointer :: part(:)
    integer :: i
    if (.not. associated(all)) allocate (all(10))
    allocate (items(n))
    do i = 1, n
      allocate (items(i)%v(i))
      items(i)%v = i
    end do
    allocate (first)
    allocate (first%v(3))
    first%v = 7
    allocate (part(5))
    part = 1
    deallocate (part)
  end subroutine
end module
program right
  use pool
  integer, pointer :: p(:), last(:)
  type(item), allocatable :: own(:)
  type(item) :: one, two(2)
  call fill(4)
  allocate (p(8))
  p = 1
  last => p(7:)
  nullify (p)
  allocate (own(2))
  allocate (own(2)%v(2))
  own(2)%v = 3
  allocate (one%v(4), two(2)%v(5))
  one%v = 2
  two(2)%v = 1
  print *, sum(last), sum(items(3)%v), sum(own(2)%v), sum(one%v), sum(two(2)%v), first%v(1)
end program
