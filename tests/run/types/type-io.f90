! Structures in formatted, internal and unformatted input/output; ASSOCIATE on components.
program p
  implicit none
  type t
    integer :: i
    character(3) :: c
    real :: r(2)
    logical :: l
  end type
  type u
    type(t) :: a(2)
    complex :: z
  end type
  type(u) :: x, y
  type(t) :: list(2)
  character(80) :: line
  integer :: k
  x%a(1) = t(1, 'abc', [1.5, 2.5], .true.)
  x%a(2) = t(2, 'de', [3.5, 4.5], .false.)
  x%z = (1.0, -1.0)
  write (line, '(2(i3,a4,2f5.1,l2),2f5.1)') x
  print *, line
  read (line, '(2(i3,a4,2f5.1,l2),2f5.1)') y
  print *, y%a%i, y%a%c, y%z
  print '(i3,a4,2f5.1,l2)', x%a
  list = x%a(2:1:-1)
  print *, list%i, list(1)%r
  list(1)%r(:) = list(2)%r(2:1:-1)
  print *, list(1)%r, size(list(1)%r), ubound(list(1)%r)
  open (10, status='scratch', form='unformatted')
  write (10) x
  rewind (10)
  y%a%i = 0
  read (10) y
  print *, y%a%i, y%a(2)%r
  associate (q => x%a(2), rr => x%a(1)%r)
    q%i = 77
    rr(2) = -1
    print *, q%c, rr
  end associate
  print *, x%a%i, x%a(1)%r
  do k = 1, 2
    select case (x%a(k)%i)
    case (1)
      print *, 'one'
    case default
      print *, 'other', x%a(k)%c
    end select
  end do
  print *, transfer(x%z, [0.0, 0.0])
end program
