program right
  real, pointer :: flat(:), square(:, :), whole(:)
  allocate (flat(12))
  flat = 1
  square(1:3, 1:4) => flat
  whole(0:) => flat
  print *, sum(square), lbound(whole)
  nullify (flat, square)
  deallocate (whole)
end program
