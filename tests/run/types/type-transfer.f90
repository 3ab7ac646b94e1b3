! TRANSFER from and to structures.
program main
  implicit none
  type pair
    integer :: i
    real :: x
  end type pair
  type holder
    integer, pointer :: p(:)
  end type holder
  type(pair) :: a, b(3)
  type(holder) :: h, g
  character(1), allocatable :: code(:)
  integer, target :: t(3) = [4, 5, 6]
  integer :: w(2), k
  a = pair(7, 1.5)
  w = transfer(a, w)
  print *, w(1), transfer(w(2), 1.0)
  w = [8, transfer(2.5, 1)]
  a = transfer(w, a)
  print *, a%i, a%x
  b = transfer([(k, transfer(real(k) / 2, 1), k = 1, 3)], b)
  print *, b%i, b%x
  b = transfer(b(3:1:-1), b)
  print *, b%i, size(transfer(b, w)), size(transfer(b, [a], 2))
  h%p => t(3:1:-2)
  k = size(transfer(h, code))
  allocate(code(k))
  code = transfer(h, code)
  nullify(g%p)
  g = transfer(code, g)
  print *, g%p, associated(g%p, h%p)
end program main
