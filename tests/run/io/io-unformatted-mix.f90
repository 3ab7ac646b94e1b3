! Unformatted sequential records: empty ones, short reads, strings, arrays and sections, structures.
program unformatted
  type t
    integer :: a
    character(3) :: b
    real(8) :: c(2)
  end type
  type(t) :: x = t(1, 'abc', [2d0, 3d0]), y
  integer :: i, s, v(10) = [(i, i = 1, 10)], w(5)
  character(5) :: c
  open (83, status='scratch', form='unformatted')
  write (83) v
  write (83)
  write (83) v(::2), 'hello'
  write (83) x
  write (83) (v(i), i = 3, 1, -1), .true.
  rewind 83
  read (83) i
  read (83)
  read (83) w, c
  print *, i, w, c
  read (83) y
  print *, y
  read (83, iostat=s) w
  print *, s /= 0
  read (83, iostat=s) i
  print *, s < 0
  rewind 83
  read (83)
  read (83, iostat=s) i
  print *, s /= 0
end program
