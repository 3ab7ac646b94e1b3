! TYPE(INTEGER) and the other intrinsic types in TYPE( ).
program p
  type(integer) :: i
  type(real(8)) :: x
  type(character(5)) :: c
  type(logical), parameter :: l = .true.
  type(double precision) :: d
  type(complex(kind=8)), allocatable :: z(:)
  i = 3; x = 1.5d0; c = 'abc'; d = 2
  allocate(z(2)); z = (1,2)
  print *, i, x, c, l, d, z
  call s(4)
contains
  subroutine s(n)
    type(integer(4)), intent(in) :: n
    type(character(len=n)) :: q
    q = 'abcdef'
    print *, q, f(2.)
  end subroutine
  type(integer) function f(x)
    type(real) :: x
    f = int(x)
  end function
end program
