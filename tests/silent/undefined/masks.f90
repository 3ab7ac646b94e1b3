program right
  real :: a(6), b(6)
  logical :: known(6)
  known = [.true., .false., .true., .false., .true., .false.]
  where (known) a = 2
  a(1) = 1
  where (known)
    b = a * 2
  elsewhere
    b = 0
  end where
  print *, sum(a, mask=known), pack(a, known), merge(a, 0., known), b
end program
