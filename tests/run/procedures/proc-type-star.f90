! TYPE(*): dummy arguments of any type, in C's interfaces and between procedures
module any_type
  use iso_c_binding
  implicit none
  interface
    subroutine c_qsort(base, n, width, compare) bind(c, name='qsort')
      import :: c_size_t, c_funptr
      type(*), intent(inout) :: base(*)
      integer(c_size_t), value :: n, width
      type(c_funptr), value :: compare
    end subroutine
    function c_memcpy(to, from, n) bind(c, name='memcpy') result(r)
      import :: c_size_t, c_ptr
      type(*), intent(inout) :: to(*)
      type(*), intent(in) :: from(*)
      integer(c_size_t), value :: n
      type(c_ptr) :: r
    end function
  end interface
  type, bind(c) :: pair
    integer(c_int) :: key
    real(c_double) :: value
  end type
  interface store
    module procedure store_any, store_none
  end interface
contains
  integer(c_int) function by_key(a, b) bind(c)
    type(pair), intent(in) :: a, b
    by_key = a%key - b%key
  end function
  subroutine store_any(n, to, from)
    integer, intent(in) :: n
    type(*), intent(inout) :: to(*)
    type(*), intent(in), optional :: from(*)
    type(c_ptr) :: r
    if (.not. present(from)) then
      print *, 'nothing to store'
      return
    end if
    r = c_memcpy(to, from, int(n, c_size_t))
  end subroutine
  subroutine store_none(n)
    integer, intent(in) :: n
    print *, 'store', n
  end subroutine
  subroutine one(x)
    type(*), intent(in), target :: x
    integer, pointer :: p
    call c_f_pointer(c_loc(x), p)
    print *, 'one', p
  end subroutine
end module

program type_star
  use any_type
  implicit none
  type(pair) :: p(4) = [pair(3, 0.3d0), pair(1, 0.1d0), pair(4, 0.4d0), pair(2, 0.2d0)]
  real(8) :: x(3) = [1, 2, 3], y(3) = 0, m(2, 3) = 0
  integer(1) :: bytes(4) = 0
  character(6) :: s = 'abcdef', t(2) = 'xxxxxx'
  integer, target :: k = 42
  call c_qsort(p, 4_c_size_t, c_sizeof(p(1)), c_funloc(by_key))
  print '(4(i2,f5.1))', p
  call store(24, y, x)
  print *, y
  call store(16, m(:, 2), y(2:))
  call store(16, m(1, :), x)
  print *, m
  call store(4, bytes, [1, 2])
  print *, bytes
  call store(6, t, [s])
  print *, t
  call store(0, y)
  call store(7)
  call one(k)
  call one(int(z'7f'))
end program
