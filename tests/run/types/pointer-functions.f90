! Pointers as results, host variables, module variables, components that are arrays; aliases through targets.
module store
  implicit none
  type cell
    integer :: id = 0
    real, pointer :: values(:) => null()
    type(cell), pointer :: link => null()
  end type
  type(cell), target, save :: cells(3)
  real, pointer, save :: current(:) => null()
  integer, target :: counter = 0
contains
  function find(id) result(p)
    integer, intent(in) :: id
    type(cell), pointer :: p
    integer :: i
    nullify (p)
    do i = 1, size(cells)
      if (cells(i)%id == id) p => cells(i)
    end do
  end function
  function largest(x) result(p)
    real, target, intent(in) :: x(:)
    real, pointer :: p
    p => x(maxloc(x, 1))
  end function
  function tail(x, n) result(p)
    real, pointer :: x(:)
    integer, intent(in) :: n
    real, pointer :: p(:)
    p => x(n:)
  end function
  subroutine select(id)
    integer, intent(in) :: id
    type(cell), pointer :: c
    c => find(id)
    if (associated(c)) current => c%values
  end subroutine
  subroutine bump(k)
    integer, intent(inout) :: k
    k = k + 1
  end subroutine
end module
program functions
  use store
  implicit none
  type(cell), pointer :: c
  real, pointer :: t(:), u
  real, target :: local(5)
  integer, pointer :: ip
  integer :: i, s
  do i = 1, 3
    cells(i)%id = 10 * i
    allocate (cells(i)%values(i + 1))
    cells(i)%values = [(real(i * 10 + s), s = 1, i + 1)]
  end do
  cells(1)%link => cells(3)
  cells(3)%link => cells(2)
  c => find(20)
  print *, c%id, c%values
  c%values(2) = -5
  print *, cells(2)%values
  print *, associated(find(99)), cells(1)%link%link%id, cells(1)%link%values(3)
  call select(30)
  print *, current
  current = current * 2
  print *, cells(3)%values, sum(cells(3)%values)
  t => tail(current, 3)
  print *, t, size(t), lbound(t)
  t(1) = 0
  print *, current
  local = [3.0, 9.0, 1.0, 4.0, 5.0]
  u => local(2)
  u = u + 1
  print *, local(2), u
  do i = 1, 5
    u = u + local(i)
  end do
  print *, u, local
  ip => counter
  call bump(ip)
  call bump(counter)
  print *, ip, counter
  s = 0
  do i = 1, 3
    ip = i
    s = s + counter
    counter = 10 * i
    s = s + ip
  end do
  print *, s
  call inner
  print *, associated(current), associated(t)
  do i = 1, 3
    deallocate (cells(i)%values)
  end do
contains
  subroutine inner
    nullify (t)
    current => local(1:5:2)
    print *, current
    local(3) = 77
    print *, current(2)
  end subroutine
end program
