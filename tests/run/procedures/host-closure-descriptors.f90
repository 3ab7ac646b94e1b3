! Pointers, allocatables and scalars of the host that an internal procedure changes which is passed on.
module callees
contains
  subroutine via(f)
    interface
      subroutine f()
      end subroutine
    end interface
    call f()
  end subroutine
end module
program main
  use callees
  implicit none
  integer, target :: a = 1, b = 2, v(5) = [1,2,3,4,5]
  integer, pointer :: io, ip(:)
  integer, allocatable :: al(:), sc
  character(:), allocatable :: text
  character(:), pointer :: cp
  real :: x
  io => a
  ip => v
  x = 1
  allocate(al(2), source=7)
  text = 'before'
  allocate(character(3) :: cp)
  cp = 'abc'
  call via(change)
  print *, io, size(ip), ip
  print *, lbound(al), al, sc, x
  print *, text, len(text), len(cp), cp
  call via(again)
  print *, io, size(ip), ip
  print *, allocated(al), allocated(sc), x
  print *, text, len(text), associated(cp)
contains
  subroutine change
    io => b
    ip => v(5:1:-2)
    deallocate(al)
    allocate(al(-1:1), source=[3, 4, 5])
    sc = 9
    text = 'after it'
    allocate(character(5) :: cp)
    cp = 'other'
    x = x + 1
  end subroutine
  subroutine again
    io = io + 5
    ip => ip(2:)
    deallocate(al, sc)
    text = text//'!'
    nullify(cp)
    x = x*4
  end subroutine
end program
